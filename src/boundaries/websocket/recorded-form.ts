import { toSpokenInput } from '../../models/realtime.ts'
import { textFromBytes } from '../../trace/body.ts'
import { losslessJson, parseJson } from '../../trace/json.ts'
import { type Closing, type Message, readClosing, writeClosing } from './web-socket-message.ts'

/** An arriving message in the form of a `chunk` row: the row's stream and its bytes. */
export interface Piece {
  readonly stream: string
  readonly bytes: Buffer
}

/** An arriving message in the form of a signal, for a connection that was opened before the run. */
export interface Said {
  readonly kind: Message['kind'] | 'end'
  /** The text as JSON, if printing that JSON gives the same text. */
  readonly json?: unknown
  readonly text?: string
  readonly base64?: string
  readonly closing?: Closing
}

/** An agent's message as a step: the action and its input. */
export interface SentStep {
  readonly what: string
  readonly input: unknown
}

/** @note A text ends with a newline, so that redaction finds secrets within one message, and none that span two. */
export function toPiece({ kind, payload }: Message): Piece {
  if (kind === 'text') return { stream: kind, bytes: Buffer.concat([payload, newline]) }
  return { stream: kind, bytes: kind === 'close' ? Buffer.from(JSON.stringify(readClosing(payload))) : payload }
}

export function fromPiece(stream: string, bytes: Uint8Array): Message | undefined {
  const payload = Buffer.from(bytes)
  if (stream === 'text') return { kind: stream, payload: payload.subarray(0, payload.at(-1) === newline[0] ? -1 : undefined) }
  if (stream === 'close') return { kind: stream, payload: writeClosing(JSON.parse(payload.toString()) as Closing) }
  return stream === 'binary' || stream === 'ping' || stream === 'pong' ? { kind: stream, payload } : undefined
}

export function toSaid({ kind, payload }: Message): Said {
  if (kind === 'close') return { kind, closing: readClosing(payload) }
  const text = textFromBytes(payload)
  if (text === undefined) return { kind, base64: payload.toString('base64') }
  const json = parsedJson(text)
  return json !== undefined && JSON.stringify(json) === text ? { kind, json } : { kind, text }
}

/** Returns undefined for the end of the connection. */
export function fromSaid({ kind, json, text, base64, closing }: Said): Message | undefined {
  if (kind === 'end') return undefined
  if (kind === 'close') return { kind, payload: writeClosing(closing ?? {}) }
  if (base64 !== undefined) return { kind, payload: Buffer.from(base64, 'base64') }
  return { kind, payload: Buffer.from(text ?? JSON.stringify(json)) }
}

/** @param name The name of the connection. */
export function toSentStep(name: string, { kind, payload }: Message): SentStep {
  if (kind === 'close') return { what: kind, input: readClosing(payload) }
  const text = textFromBytes(payload)
  const what = kind === 'ping' || kind === 'pong' ? kind : 'send'
  if (text === undefined || kind === 'binary') return { what, input: new Uint8Array(payload) }
  return { what, input: toSpokenInput(name, isStructured(text) ? (losslessJson(text) ?? text) : text) }
}

/** Parses a text as JSON, if it is an object or a list. */
export function parsedJson(text: string): unknown {
  return isStructured(text) ? parseJson(text) : undefined
}

function isStructured(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

const newline = Buffer.from('\n')
