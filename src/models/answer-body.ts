import { bytesOfBody } from '../trace/body.ts'
import type { HttpBody } from '../trace/rows.ts'
import type { NormalAnswer, NormalError } from './dialect.ts'
import { isEventStream, readFrames } from './event-stream.ts'
import { readJsonElements, readJsonLines } from './json-elements.ts'
import { isRecord, parseJson, recordOf, textOf } from './json-fields.ts'
import { readEvents } from './server-sent-events.ts'

/** What an answer holds: one JSON value, or the events of a stream, in whatever frames they came. */
export type AnswerContent =
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'events'; readonly events: readonly unknown[] }

/** How much of a body that cannot be read its error quotes, in characters. */
const QUOTED = 200

/** Reads an answer's body as far as all dialects have it in common, and the rest with `read`. What cannot be read is the answer's error. */
export function readAnswer(body: HttpBody, contentType: string | undefined, read: (content: AnswerContent) => NormalAnswer): NormalAnswer {
  const content = contentOf(body, contentType)
  return 'error' in content ? errorAnswer(content.error) : read(content)
}

/** The events of a stream, or the one JSON value that an answer is. */
export function eventsOf(content: AnswerContent): readonly unknown[] {
  return content.kind === 'json' ? [content.json] : content.events
}

/** The error for a body or an event that is none of its dialect. */
export function unreadable(content: unknown): NormalError {
  const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? String(content))
  return { type: 'unreadable', message: text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text }
}

/**
 * The error that a body or an event tells of, if it does. Read are `{ error: { type, message, code } }` (OpenAI, Anthropic, Google and most
 * others), `{ error: "…", code }` (Ollama, xAI), `{ type: "error", message, code }` (OpenAI's responses stream), `{ object: "error", message }`
 * (Mistral, vLLM), and a `message` that is text and stands alone (Cohere, Cerebras, AWS).
 */
export function errorOf(json: unknown): NormalError | undefined {
  const record = recordOf(json)
  if (isRecord(record['error'])) return errorFrom(record['error'])
  if (textOf(record['error']) !== undefined) return { message: String(record['error']), ...codeOf(record) }
  if (record['type'] === 'error' || record['object'] === 'error') return errorFrom(record)
  return textOf(record['message'] ?? record['Message']) === undefined ? undefined : errorFrom(record)
}

/** Google's word for an error is its `status`, AWS's its `__type`. */
function errorFrom(record: Readonly<Record<string, unknown>>): NormalError {
  const type = textOf(record['type']) ?? textOf(record['status']) ?? textOf(record['__type'])
  return {
    ...(type !== undefined && type !== 'error' && { type }),
    message: textOf(record['message']) ?? textOf(record['Message']) ?? JSON.stringify(record),
    ...codeOf(record),
  }
}

function codeOf({ code }: Readonly<Record<string, unknown>>): Pick<NormalError, 'code'> {
  return typeof code === 'string' || typeof code === 'number' ? { code } : {}
}

function errorAnswer(error: NormalError): NormalAnswer {
  return { text: '', toolCalls: [], error }
}

/**
 * Reads a body as JSON, or as a stream of it: server-sent events, lines, the elements of an array, frames of AWS's event streams. The body
 * decides and not the content type alone: errors come as JSON under `text/event-stream`, and some gateways send streams under no type at all.
 */
function contentOf(body: HttpBody, contentType: string | undefined): AnswerContent | { readonly error: NormalError } {
  if (body.json !== undefined) return Array.isArray(body.json) ? events(body.json) : { kind: 'json', json: body.json }
  const bytes = body.text === undefined ? bytesOfBody(body) : undefined
  if (bytes !== undefined && isEventStream(bytes)) return events(readFrames(bytes))
  const text = body.text ?? new TextDecoder().decode(bytes)
  const start = text.trimStart()
  if (start.startsWith('{') || start.startsWith('[')) {
    const whole = parseJson(text)
    if (whole.ok) return Array.isArray(whole.value) ? events(whole.value) : { kind: 'json', json: whole.value }
    const parts = start.startsWith('[') ? readJsonElements(start) : readJsonLines(start)
    return parts.length > 0 ? events(parts) : { error: unreadable(text) }
  }
  if (contentType?.includes('event-stream') || /^(?:data|event|id|retry)?:/.test(start)) return events(readEventData(text))
  return { error: unreadable(start === '' ? 'The answer has no body.' : text) }
}

function events(list: readonly unknown[]): AnswerContent {
  return { kind: 'events', events: list }
}

function readEventData(text: string): readonly unknown[] {
  const list: unknown[] = []
  for (const { data } of readEvents(text)) {
    if (data === '[DONE]' || data === '') continue
    const json = parseJson(data)
    list.push(json.ok ? json.value : { error: unreadable(data) })
  }
  return list
}
