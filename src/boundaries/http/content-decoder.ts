import type { Transform } from 'node:stream'
import { builtins } from '../builtins.ts'
import { type Coding, codingsOf } from './codings.ts'
import { Inflate } from './inflate.ts'

/** Decodes an answer's body as it arrives. */
export interface ContentDecoder {
  /** @returns Whether more may be written at once; if not, `drain` is called when it may. */
  write(bytes: Uint8Array): boolean
  /** Whether it takes no more before `drain`. */
  readonly isFull: boolean
  /** The body is complete; `end` follows once everything has been decoded. */
  finish(): void
  /** Tells of nothing more until `resume`. */
  pause(): void
  resume(): void
  readonly isPaused: boolean
  destroy(): void
}

/** What a decoder calls. */
export interface DecoderEvents {
  data(bytes: Uint8Array): void
  end(): void
  drain(): void
  fail(error: Error): void
}

/**
 * A decoder for a `content-encoding`, or undefined when there is nothing to decode or the encoding is not known. Decoding below the capture
 * is what makes the order of rows the order that the agent saw: the thread pool behind zlib settles in any order.
 */
export function createContentDecoder(encoding: string | undefined, events: DecoderEvents): ContentDecoder | undefined {
  const stages = codingsOf(encoding)?.toReversed().map(createStage) ?? []
  const [first] = stages
  const last = stages.at(-1)
  if (first === undefined || last === undefined) return undefined
  for (const [index, stage] of stages.entries()) {
    stage.on('error', (error) => events.fail(error))
    const next = stages[index + 1]
    if (next !== undefined) stage.pipe(next)
  }
  first.on('drain', () => events.drain())
  last.on('data', (bytes: Uint8Array) => events.data(bytes))
  last.on('end', () => events.end())
  return {
    write: (bytes) => first.write(bytes),
    get isFull() {
      return first.writableNeedDrain
    },
    finish: () => first.end(),
    pause: () => void last.pause(),
    resume: () => void last.resume(),
    get isPaused() {
      return last.isPaused()
    },
    destroy: () => stages.forEach((stage) => stage.destroy()),
  }
}

function createStage(coding: Coding): Transform {
  // Browsers and undici accept a body that ends early; so must what stands in their place.
  const lenient = { flush: builtins.zlib.constants.Z_SYNC_FLUSH, finishFlush: builtins.zlib.constants.Z_SYNC_FLUSH }
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return builtins.zlib.createGunzip(lenient)
    case 'deflate':
      return new Inflate(lenient)
    case 'br':
      return builtins.zlib.createBrotliDecompress({
        flush: builtins.zlib.constants.BROTLI_OPERATION_FLUSH,
        finishFlush: builtins.zlib.constants.BROTLI_OPERATION_FLUSH,
      })
    case 'zstd':
      return builtins.zlib.createZstdDecompress()
  }
}
