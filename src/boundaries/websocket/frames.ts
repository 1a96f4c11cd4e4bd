/** The kinds of frames. Source: RFC 6455, section 5.2. */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** An unmasked WebSocket frame. */
export interface Frame {
  readonly isFinal: boolean
  /** Set on the first frame of a compressed message. Source: RFC 7692, section 6. */
  readonly isCompressed: boolean
  readonly opcode: number
  readonly payload: Buffer
  /** The frame as it arrived. */
  readonly raw: Buffer
}

/** Longer frames are not followed. */
const longestFrame = 2 ** 26

/** Splits the bytes of one direction of a WebSocket into frames. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)

  /** The bytes of an incomplete frame. */
  get rest(): Buffer {
    return this.#rest
  }

  /** Adds bytes. Throws if they are not frames. */
  *add(bytes: Uint8Array): Generator<Frame> {
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes])
    for (let frame = readFrame(this.#rest); frame !== undefined; frame = readFrame(this.#rest)) {
      this.#rest = this.#rest.subarray(frame.raw.length)
      yield frame
    }
  }
}

/** Encodes a frame of a server, which is unmasked, uncompressed and final. */
export function encodeFrame(opcode: number, payload: Uint8Array): Buffer {
  const first = 0x80 | opcode
  if (payload.length < 126) return Buffer.concat([Buffer.from([first, payload.length]), payload])
  const isShort = payload.length < 2 ** 16
  const head = Buffer.alloc(isShort ? 4 : 10)
  head[0] = first
  head[1] = isShort ? 126 : 127
  if (isShort) head.writeUInt16BE(payload.length, 2)
  else head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}

/** Reads the first frame; returns undefined if it is incomplete. */
function readFrame(bytes: Buffer): Frame | undefined {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return undefined
  // Two bits are for extensions that are never negotiated.
  if ((first & 0x30) !== 0) throw new Error('unknown WebSocket extension')
  const short = second & 0x7f
  const [lengthSize, maskSize] = [short === 126 ? 2 : short === 127 ? 8 : 0, second >= 0x80 ? 4 : 0]
  const start = 2 + lengthSize + maskSize
  if (bytes.length < start) return undefined
  const length = lengthSize === 2 ? bytes.readUInt16BE(2) : lengthSize === 8 ? Number(bytes.readBigUInt64BE(2)) : short
  if (length > longestFrame) throw new Error('WebSocket frame is too long')
  if (bytes.length < start + length) return undefined
  const payload = Buffer.from(bytes.subarray(start, start + length))
  if (maskSize > 0) unmask(payload, bytes.subarray(start - maskSize, start))
  return {
    isFinal: first >= 0x80,
    isCompressed: (first & 0x40) !== 0,
    opcode: first & 0x0f,
    payload,
    raw: Buffer.from(bytes.subarray(0, start + length)),
  }
}

function unmask(payload: Buffer, mask: Buffer): void {
  for (let index = 0; index < payload.length; index += 1) payload[index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0)
}
