import type { Transform } from 'node:stream'
import { type Below, scopeBelow } from '../../run/scope.ts'
import { builtins } from '../../node/builtins.ts'
import { combine, replaceProperty, type Restore, sameEachTime } from '../patches.ts'

/** Makes a decoder, by its name in `node:zlib`. */
export type MakeDecoder = NonNullable<Below['decoder']>

/**
 * What a fetch decodes answers with. Every fetch asks `node:zlib` for it, as it is told of the head or of the first bytes. Recording, what comes out of
 * it is watched; replaying, it has been decoded already. Elsewhere the program gets what it asks for.
 */
export function decoderDoor(): Restore {
  const { zlib } = builtins
  return combine(
    replaceProperty(zlib, 'createGunzip', sameEachTime(doorOf('createGunzip'))),
    replaceProperty(zlib, 'createInflate', sameEachTime(doorOf('createInflate'))),
    replaceProperty(zlib, 'createInflateRaw', sameEachTime(doorOf('createInflateRaw'))),
    replaceProperty(zlib, 'createBrotliDecompress', sameEachTime(doorOf('createBrotliDecompress'))),
    replaceProperty(zlib, 'createZstdDecompress', sameEachTime(doorOf('createZstdDecompress'))),
  )
}

function doorOf<Create extends (options?: never) => Transform>(name: string): (original: Create) => Create {
  return (original) => {
    const create = (options?: never): Transform => {
      const make = (): Transform => original(options)
      const decoder = scopeBelow()?.below.decoder
      return decoder === undefined ? make() : decoder(name, make)
    }
    return create as Create
  }
}
