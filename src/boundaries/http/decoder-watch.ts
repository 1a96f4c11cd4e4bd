import type { Transform } from 'node:stream'
import type { AnswerSink } from '../../run/active-run.ts'
import type { Coding } from '../../http/codings.ts'
import type { MakeDecoder } from './decoder-door.ts'

/** Receives a body that a fetch decodes, when its reader can read it. */
export type DecodedBody = Pick<AnswerSink, 'data' | 'end' | 'fail'>

/**
 * Watches the decoders of a fetch's answer. Nothing is decoded in advance: the fetch gets the original bytes, and its agent sees head, body
 * and errors as without a recorder. The body is recorded as it leaves the last decoder, because zlib's thread pool settles in any order.
 */
export class DecoderWatch {
  readonly #codings: readonly Coding[]
  readonly #body: DecodedBody
  #made = 0
  /** The last stage of decoding. */
  #output: Transform | undefined
  /** Whether there was anything to decode. */
  hasInput = false

  /** @param codings The codings in the order of encoding. */
  constructor(codings: readonly Coding[], body: DecodedBody) {
    this.#codings = codings
    this.#body = body
  }

  /** Whether the fetch decodes the body, known after the head. The inflater is created with the first bytes. */
  get isDecoding(): boolean {
    if (this.#output !== undefined) return true
    return this.#codings[0] === 'deflate' && (this.#made > 0 || this.#codings.every((coding) => coding === 'deflate'))
  }

  readonly make: MakeDecoder = (name, make) => {
    const decoder = make()
    this.#made += 1
    decoder.on('error', (error) => this.#body.fail(error))
    if (this.#codings[0] !== undefined && decoders[this.#codings[0]].includes(name)) this.#follow(decoder, this.#codings[0])
    return decoder
  }

  #tell(chunk: Uint8Array | null): void {
    if (chunk === null) this.#body.end()
    else this.#body.data(chunk)
  }

  #follow(decoder: Transform, coding: Coding): void {
    this.#output = decoder
    const isOutput = (): boolean => this.#output === decoder
    const { push, end } = decoder
    decoder.push = (chunk: Uint8Array | null, encoding?: BufferEncoding): boolean => {
      if (isOutput()) this.#tell(chunk)
      return push.call(decoder, chunk, encoding)
    }
    // A fetch treats an inflated body as complete once the last bytes are written, without waiting for the inflater's end.
    if (coding !== 'deflate') return
    decoder.end = ((...rest: unknown[]): Transform => {
      if (isOutput()) this.#body.end()
      return Reflect.apply(end, decoder, rest) as Transform
    }) as typeof end
  }
}

/** The `node:zlib` functions that decode each coding. */
const decoders: Readonly<Record<Coding, readonly string[]>> = {
  gzip: ['createGunzip'],
  'x-gzip': ['createGunzip'],
  deflate: ['createInflate', 'createInflateRaw'],
  br: ['createBrotliDecompress'],
  zstd: ['createZstdDecompress'],
}
