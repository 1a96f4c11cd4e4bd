import { builtins } from '../../node/builtins.ts'
import { type Coding, hasZlibHeader } from '../../http/codings.ts'
import { loadMinizlib } from '../../stores/minizlib.ts'

/** Decodes the pieces of a body one after the other, synchronously. */
export interface PieceDecoder {
  /** Returns the bytes that a piece adds. Throws for a piece that is not in the coding; close the decoder then. */
  decode(piece: Uint8Array): Uint8Array
  /** Ends the body and returns whether it was complete. On Node 22 a zstd body always counts as complete. */
  end(): boolean
  close(): void
}

/** Creates a decoder of bodies in `codings`, listed in the order in which they were applied. */
export function createPieceDecoder(codings: readonly Coding[]): PieceDecoder {
  const stages = codings.toReversed().map((coding) => new Stage(coding))
  return {
    decode: (piece) => stages.reduce((decoded, stage) => stage.decode(decoded), piece),
    end: () => stages.every((stage) => stage.end()),
    close: () => stages.forEach((stage) => stage.close()),
  }
}

class Stage implements PieceDecoder {
  readonly #coding: Coding
  #stream: DecodingStream | undefined
  #decoded: Uint8Array[] = []
  #hasDecoded = false
  #isOver = false
  #failure: { readonly error: unknown } | undefined

  constructor(coding: Coding) {
    this.#coding = coding
  }

  decode(piece: Uint8Array): Uint8Array {
    const [first] = piece
    if (first === undefined || this.#isOver) return new Uint8Array()
    this.#stream ??= this.#open(first)
    this.#stream.write(piece)
    if (this.#failure !== undefined) this.#fail(this.#failure.error)
    this.#hasDecoded = true
    return Buffer.concat(this.#decoded.splice(0))
  }

  /** Readers ignore anything behind the last zstd frame, as with the other codings. */
  #fail(error: unknown): void {
    if (!this.#hasDecoded || (error as NodeJS.ErrnoException).code !== 'ZSTD_error_prefix_unknown') throw error
    this.#isOver = true
  }

  end(): boolean {
    this.#stream?.end()
    return this.#isOver || this.#failure === undefined
  }

  close(): void {
    this.#stream?.close()
  }

  #open(first: number): DecodingStream {
    const stream = createStream(this.#coding, first)
    stream.on('data', (bytes) => this.#decoded.push(bytes))
    stream.on('error', (error) => {
      this.#failure = { error }
    })
    return stream
  }
}

type DecodingStream = ReturnType<typeof createStream>

/** @param first The first byte of the body. */
function createStream(coding: Coding, first: number) {
  const { Gunzip, Inflate, InflateRaw, BrotliDecompress, ZstdDecompress } = loadMinizlib()
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = builtins.zlib.constants
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return new Gunzip({ flush: Z_SYNC_FLUSH })
    case 'deflate':
      return hasZlibHeader(first) ? new Inflate({ flush: Z_SYNC_FLUSH }) : new InflateRaw({ flush: Z_SYNC_FLUSH })
    case 'br':
      return new BrotliDecompress({ flush: BROTLI_OPERATION_FLUSH })
    case 'zstd':
      return new ZstdDecompress({})
  }
}
