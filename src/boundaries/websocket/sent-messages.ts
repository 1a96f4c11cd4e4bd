import { processWide } from '../../node/process-wide.ts'
import type { Extensions } from './describe-connection.ts'
import { opcodes } from './frames.ts'
import { type Message, MessageReader } from './web-socket-message.ts'

/** The sent messages of followed sockets. A socket may be opened through one copy of the package and written to through another. */
export const followedSockets: WeakMap<object, SentMessages> = processWide('followed-web-sockets', () => new WeakMap())

/** A sent message whose frames are written later. */
interface ComingMessage {
  /** Whether the message was reported when it was sent. */
  isTold: boolean
  readonly isKept: boolean
}

/** The messages that a client sends over one connection, without those that it sends only to follow the protocol. */
export class SentMessages {
  /** Whether messages are compressed: then their frames are written after the agent has sent them. */
  readonly isCompressed: boolean
  readonly #tell: (message: Message) => void
  readonly #reader: MessageReader
  readonly #keeps: () => boolean
  /** Messages whose frames have not been written. */
  readonly #coming: ComingMessage[] = []
  /** A message that is being sent in parts, with the parts sent so far; `message` is undefined if it has to be read from its frames. */
  #open: { readonly coming: ComingMessage; message: Message | undefined } | undefined
  /** Whether the frame that is being written is withheld from the world. */
  #isKept: boolean | undefined
  /** The number of pings, pongs and closes whose frames have not been written. */
  #comingControls = 0
  /** The number of their frames that were written. */
  #controls = 0
  #ping: Buffer | undefined
  #hasHeardClose = false
  #hasClosed = false

  /** @param keeps Returns whether the running code's messages are withheld from the world. Default: they are not. */
  constructor({ clientKeepsWindow, isCompressed }: Extensions, tell: (message: Message) => void, keeps = (): boolean => false) {
    this.#keeps = keeps
    this.isCompressed = isCompressed
    this.#reader = new MessageReader(clientKeepsWindow)
    this.#tell = tell
  }

  /** Whether either side has closed the connection. */
  get isClosing(): boolean {
    return this.#hasClosed || this.#hasHeardClose
  }

  /**
   * Reports a message that the client is about to send, before its frames are written. It may be sent in parts.
   *
   * @param message Undefined if it can only be read from its frames.
   */
  announce(message: Message | undefined, isFinal = true): void {
    const { coming, message: before } = this.#open ?? { coming: this.#expect(), message: message && { ...message, payload: empty } }
    const whole = before && message && { kind: before.kind, payload: Buffer.concat([before.payload, message.payload]) }
    this.#open = isFinal ? undefined : { coming, message: whole }
    if (!isFinal || whole === undefined) return
    coming.isTold = true
    this.#tell(whole)
  }

  #expect(): ComingMessage {
    const coming = { isTold: false, isKept: this.#keeps() }
    this.#coming.push(coming)
    return coming
  }

  /** The client sends a ping, pong or close: at once, or after messages that are still being compressed. */
  controls(message: Message, send: () => void): void {
    const before = this.#controls
    send()
    if (this.#controls !== before) return
    this.#comingControls += 1
    if (!this.#isAnswer(message)) this.#tell(message)
  }

  /** The client receives a message, which it may answer by itself. */
  heard({ kind, payload }: Message): void {
    if (kind === 'ping') this.#ping = payload
    else if (kind === 'close') this.#hasHeardClose = true
  }

  /** Returns whether bytes about to be written are withheld from the world; undefined if that was not decided when their message was sent. */
  isKept(bytes: Uint8Array): boolean | undefined {
    if (this.#reader.held.length > 0) return this.#isKept
    const isData = ((bytes[0] ?? 0) & 0x0f) < opcodes.close
    return (this.#isKept = isData ? this.#coming[0]?.isKept : undefined)
  }

  /** Adds written bytes. Throws if they are not WebSocket frames. */
  add(bytes: Uint8Array): void {
    for (const { message } of this.#reader.add(bytes)) if (message !== undefined && !this.#isOwn(message)) this.#tell(message)
  }

  #isOwn(message: Message): boolean {
    if (message.kind === 'text' || message.kind === 'binary') return this.#coming.shift()?.isTold === true
    this.#controls += 1
    const isAnswer = this.#isAnswer(message)
    if (this.#comingControls === 0) return isAnswer
    this.#comingControls -= 1
    return true
  }

  /** Returns whether the message is an answer that the protocol requires. */
  #isAnswer({ kind, payload }: Message): boolean {
    if (kind === 'close') this.#hasClosed = true
    return kind === 'close' ? this.#hasHeardClose : kind === 'pong' && this.#ping?.equals(payload) === true
  }
}

const empty = Buffer.alloc(0)
