import type { HttpBody } from '../trace/rows.ts'
import type { NormalAnswer, NormalError } from './dialect.ts'
import { isRecord, recordOf, textOf } from './json-fields.ts'
import { readEvents } from './server-sent-events.ts'

/** An answer's body, read as far as all dialects with JSON and server-sent events have it in common. */
export type AnswerBody =
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'events'; readonly events: readonly AnswerEvent[] }
  | { readonly kind: 'unreadable'; readonly error: NormalError }

/** An event of a stream whose data is JSON. `type` is the event's own name, which not every dialect gives. */
export interface AnswerEvent {
  readonly type: string | undefined
  readonly json: unknown
}

/** How much of a body that cannot be read its error quotes, in characters. */
const QUOTED = 200

/**
 * Reads a body as JSON or as server-sent events. The text decides and not the content type alone: errors come as JSON under
 * `text/event-stream`, and some gateways send streams under no type at all.
 */
export function readAnswerBody(body: HttpBody, contentType: string | undefined): AnswerBody {
  if (body.json !== undefined) return { kind: 'json', json: body.json }
  const text = body.text ?? (body.bytes === undefined ? '' : new TextDecoder().decode(body.bytes))
  const start = text.trimStart()
  if (start.startsWith('{') || start.startsWith('[')) {
    const json = parseJson(text)
    return json.ok ? { kind: 'json', json: json.value } : { kind: 'unreadable', error: unreadable(text) }
  }
  if (contentType?.includes('event-stream') || /^(?:data|event|id|retry)?:/.test(start)) return { kind: 'events', events: eventsOf(text) }
  return { kind: 'unreadable', error: unreadable(start === '' ? 'The answer has no body.' : text) }
}

/** The answer that is nothing but an error. */
export function errorAnswer(error: NormalError): NormalAnswer {
  return { text: '', toolCalls: [], error }
}

/** The error for a body or an event that is none of its dialect. */
export function unreadable(content: unknown): NormalError {
  const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? String(content))
  return { type: 'unreadable', message: text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text }
}

/**
 * The error that a body or an event tells of, if it does. Read are `{ error: { type, message, code } }` (OpenAI, Anthropic and most others),
 * `{ error: "…" }`, `{ type: "error", message, code }` (OpenAI's responses stream) and `{ object: "error", message }` (Mistral, vLLM).
 */
export function errorOf(json: unknown): NormalError | undefined {
  const record = recordOf(json)
  if (isRecord(record['error'])) return errorFrom(record['error'])
  if (textOf(record['error']) !== undefined) return { message: String(record['error']) }
  if (record['type'] === 'error' || record['object'] === 'error') return errorFrom(record)
  return undefined
}

function errorFrom(record: Readonly<Record<string, unknown>>): NormalError {
  const type = textOf(record['type'])
  const code = record['code']
  return {
    ...(type !== undefined && type !== 'error' && { type }),
    message: textOf(record['message']) ?? JSON.stringify(record),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
  }
}

function eventsOf(text: string): readonly AnswerEvent[] {
  const events: AnswerEvent[] = []
  for (const { event, data } of readEvents(text)) {
    if (data === '[DONE]' || data === '') continue
    const json = parseJson(data)
    events.push({ type: event, json: json.ok ? json.value : { error: unreadable(data) } })
  }
  return events
}

function parseJson(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}
