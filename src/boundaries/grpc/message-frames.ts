import { bodyDecoder } from '../../http/decode-body.ts'

/** A message as it travels over HTTP/2: a flag, a length, and its bytes. Source: grpc.io, PROTOCOL-HTTP2. */
export interface MessageFrame {
  readonly isCompressed: boolean
  readonly content: Buffer
}

const headLength = 5

/** Longer messages are not followed. */
const longestMessage = 2 ** 28

/** Splits bytes that arrive in pieces into frames. */
export class MessageFrames {
  #pieces: Buffer[] = []
  #length = 0

  /** The bytes of an incomplete frame. */
  get rest(): Buffer {
    return Buffer.concat(this.#pieces)
  }

  /** Adds bytes. Throws if they are not frames. */
  add(bytes: Uint8Array): MessageFrame[] {
    this.#pieces.push(Buffer.from(bytes))
    this.#length += bytes.length
    const frames: MessageFrame[] = []
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) frames.push(frame)
    return frames
  }

  #next(): MessageFrame | undefined {
    if (this.#length < headLength) return undefined
    const wanted = headLength + this.#contentLength()
    if (this.#length < wanted) return undefined
    const whole = this.rest
    this.#pieces = whole.length === wanted ? [] : [whole.subarray(wanted)]
    this.#length -= wanted
    return { isCompressed: whole[0] === 1, content: whole.subarray(headLength, wanted) }
  }

  #contentLength(): number {
    if ((this.#pieces[0]?.length ?? 0) < headLength) this.#pieces = [this.rest]
    const [first] = this.#pieces
    const length = first?.readUInt32BE(1) ?? 0
    if ((first?.[0] ?? 0) > 1 || length > longestMessage) throw new Error('not a gRPC message')
    return length
  }
}

export function encodeFrame({ isCompressed, content }: MessageFrame): Buffer {
  const head = Buffer.alloc(headLength)
  head[0] = isCompressed ? 1 : 0
  head.writeUInt32BE(content.length, 1)
  return Buffer.concat([head, content])
}

/** Returns a frame's message, decompressed if possible. @param encoding The value of `grpc-encoding`, if known. */
export function inflated(frame: MessageFrame, encoding: string | undefined): MessageFrame {
  const { isCompressed, content } = frame
  if (!isCompressed) return frame
  const decode = bodyDecoder(encoding ?? (isGzip(content) ? 'gzip' : undefined))
  return decode === undefined ? frame : { isCompressed: false, content: Buffer.from(decode(content)) }
}

/** Source: RFC 1952, section 2.3.1. */
function isGzip(content: Buffer): boolean {
  return content[0] === 0x1f && content[1] === 0x8b
}
