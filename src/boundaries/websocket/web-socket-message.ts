import { builtins } from '../../node/builtins.ts'
import { type Frame, FrameReader, encodeFrame, opcodes } from './frames.ts'

/** A message of a WebSocket. */
export interface Message {
  readonly kind: 'text' | 'binary' | 'ping' | 'pong' | 'close'
  readonly payload: Buffer
}

/** An arrived piece: the bytes for the client, and the message that they complete, if any. */
export interface Arrived {
  readonly bytes: Buffer
  readonly message?: Message
}

/** Longer messages are not followed. */
const longestMessage = 2 ** 26

/** The maximum distance of a back-reference in a compressed message. Source: RFC 1951, section 2. */
const windowSize = 2 ** 15

/** The end of each compressed message, which senders omit. Source: RFC 7692, section 7.2.2. */
const tail = Buffer.from([0, 0, 0xff, 0xff])

const kinds = new Map<number, Message['kind']>([
  [opcodes.text, 'text'],
  [opcodes.binary, 'binary'],
  [opcodes.close, 'close'],
  [opcodes.ping, 'ping'],
  [opcodes.pong, 'pong'],
])

/** Reads messages from one direction of a WebSocket. Masking, frames and compression make no difference. */
export class MessageReader {
  readonly #frames = new FrameReader()
  readonly #keepsWindow: boolean
  #window: Buffer = Buffer.alloc(0)
  #open: Frame[] = []
  #length = 0

  /** @param keepsWindow Whether a compressed message may refer to earlier ones. */
  constructor(keepsWindow: boolean) {
    this.#keepsWindow = keepsWindow
  }

  /** The bytes that have not been passed on: the start of a frame, or the compressed frames of an incomplete message. */
  get held(): Buffer {
    const frames = this.#open[0]?.isCompressed === true ? this.#open : []
    return Buffer.concat([...frames.map(({ raw }) => raw), this.#frames.rest])
  }

  /** Adds bytes. Compressed messages are passed on decompressed, so that the client need not do it again. Throws if they are not WebSocket frames. */
  *add(bytes: Uint8Array): Generator<Arrived> {
    for (const frame of this.#frames.add(bytes)) yield* this.#take(frame)
  }

  *#take(frame: Frame): Generator<Arrived> {
    const kind = kinds.get(frame.opcode)
    if (frame.opcode >= opcodes.close) {
      yield kind === undefined ? { bytes: frame.raw } : { bytes: frame.raw, message: { kind, payload: frame.payload } }
      return
    }
    this.#open.push(frame)
    this.#length += frame.payload.length
    if (this.#length > longestMessage) throw new Error('WebSocket message is too long')
    const [first = frame] = this.#open
    if (!frame.isFinal) {
      if (!first.isCompressed) yield { bytes: frame.raw }
      return
    }
    const whole = Buffer.concat(this.#open.map(({ payload }) => payload))
    const payload = first.isCompressed ? this.#inflate(whole) : whole
    this.#open = []
    this.#length = 0
    const given = first.isCompressed ? encodeFrame(first.opcode, payload) : frame.raw
    const type = kinds.get(first.opcode)
    yield type === undefined ? { bytes: given } : { bytes: given, message: { kind: type, payload } }
  }

  #inflate(payload: Buffer): Buffer {
    const inflated = builtins.zlib.inflateRawSync(Buffer.concat([payload, tail]), {
      finishFlush: builtins.zlib.constants.Z_SYNC_FLUSH,
      maxOutputLength: longestMessage,
      ...(this.#window.length === 0 ? {} : { dictionary: this.#window }),
    })
    if (this.#keepsWindow) this.#window = Buffer.concat([this.#window, inflated.subarray(-windowSize)]).subarray(-windowSize)
    return inflated
  }
}

/** Returns a message as a server sends it. */
export function frameOf({ kind, payload }: Message): Buffer {
  return encodeFrame(opcodes[kind], payload)
}

/** How a connection is closed. Source: RFC 6455, section 5.5.1. */
export interface Closing {
  readonly code?: number
  readonly reason?: string
}

/** Reads the payload of a close frame. */
export function readClosing(payload: Buffer): Closing {
  if (payload.length < 2) return {}
  const reason = payload.toString('utf8', 2)
  return { code: payload.readUInt16BE(0), ...(reason === '' ? {} : { reason }) }
}

/** Writes the payload of a close frame. */
export function writeClosing({ code, reason = '' }: Closing): Buffer {
  if (code === undefined) return Buffer.alloc(0)
  const payload = Buffer.alloc(2)
  payload.writeUInt16BE(code)
  return Buffer.concat([payload, Buffer.from(reason)])
}
