import { processWide } from '../../node/process-wide.ts'
import type { Extensions } from './describe-connection.ts'
import { opcodes } from './frames.ts'
import { type Message, MessageReader } from './web-socket-message.ts'

/** What is sent over sockets that are followed. A socket may be opened through one copy of the package and written to through another. */
export const followedSockets: WeakMap<object, SentMessages> = processWide('followed-web-sockets', () => new WeakMap())

/** A message that was sent, and whose frames are written later. */
interface ComingMessage {
  /** It was told of where it was sent. */
  isTold: boolean
  readonly isKept: boolean
}

/** What a client sends over one connection: what it does by itself, to keep to the protocol, is left out. */
export class SentMessages {
  /** Whether messages are compressed: then their frames are written later than the agent sends them. */
  readonly isCompressed: boolean
  readonly #tell: (message: Message) => void
  readonly #reader: MessageReader
  readonly #keeps: () => boolean
  /** Messages whose frames are still to come. */
  readonly #coming: ComingMessage[] = []
  /** One that is being sent in parts, with those that were sent; undefined if they have yet to be read. */
  #open: { readonly coming: ComingMessage; message: Message | undefined } | undefined
  /** Whether the frame that is being written is kept from the world. */
  #isKept: boolean | undefined
  /** Pings, pongs and closes whose frames are still to come. */
  #comingControls = 0
  /** How many of their frames were written. */
  #controls = 0
  #ping: Buffer | undefined
  #hasHeardClose = false
  #hasClosed = false

  /** @param keeps Whether what the running code sends is kept from the world. Default: it is not. */
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
   * The client is about to send a message whose frames are written later; told at once. It may be sent in parts.
   *
   * @param message Undefined if it has yet to be read: then it is met by its frames.
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

  /** The client pings, answers one, or closes: at once, or after messages that are still being compressed. */
  controls(message: Message, send: () => void): void {
    const before = this.#controls
    send()
    if (this.#controls !== before) return
    this.#comingControls += 1
    if (!this.#isAnswer(message)) this.#tell(message)
  }

  /** The client hears a message, which it may answer by itself. */
  heard({ kind, payload }: Message): void {
    if (kind === 'ping') this.#ping = payload
    else if (kind === 'close') this.#hasHeardClose = true
  }

  /** Whether bytes that are about to be written are kept from the world, if that was decided where their message was sent. */
  isKept(bytes: Uint8Array): boolean | undefined {
    if (this.#reader.held.length > 0) return this.#isKept
    const isData = ((bytes[0] ?? 0) & 0x0f) < opcodes.close
    return (this.#isKept = isData ? this.#coming[0]?.isKept : undefined)
  }

  /** Takes what is written. Throws for what is no WebSocket. */
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

  /** Whether the protocol asks for a message. */
  #isAnswer({ kind, payload }: Message): boolean {
    if (kind === 'close') this.#hasClosed = true
    return kind === 'close' ? this.#hasHeardClose : kind === 'pong' && this.#ping?.equals(payload) === true
  }
}

const empty = Buffer.alloc(0)
