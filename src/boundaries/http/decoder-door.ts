import type { Transform } from 'node:stream'
import { type Below, scopeBelow } from '../../run/scope.ts'
import { builtins } from '../../node/builtins.ts'
import { combine, replaceProperty, type Restore, sameEachTime } from '../patches.ts'

/** Creates a decoder, by its name in `node:zlib`. */
export type MakeDecoder = NonNullable<Below['decoder']>

/**
 * The decoders of fetch. Every fetch gets them from `node:zlib` when it receives the head or the first bytes. In a recording, their output
 * is watched; in a replay, the body is already decoded. Elsewhere, the program gets the original.
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
