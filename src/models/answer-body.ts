import { isJsonObject, parseJson } from '../trace/json.ts'
import { bytesOfBody } from '../trace/body.ts'
import type { HttpBody, Usage } from '../trace/rows.ts'
import type { NormalAnswer, NormalError, NormalUsage, StopReason } from './dialect.ts'
import { isEventStream, readFrames } from './event-stream.ts'
import { numberOf, recordOf, textOf } from './json-fields.ts'
import { readEvents } from './server-sent-events.ts'
import { type Given, withoutUndefined } from './normal-shapes.ts'

/** What an answer holds: one JSON value, or the events of a stream, in whatever frames they came. */
export type AnswerContent =
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'events'; readonly events: readonly unknown[] }

/** How much of an unreadable body its error quotes, in characters. */
const QUOTED = 200

/** Reads the part of a body that all dialects share, and passes the content to `read`. An unreadable body becomes the answer's error. */
export function readAnswer(body: HttpBody, contentType: string | undefined, read: (content: AnswerContent) => NormalAnswer): NormalAnswer {
  const content = contentOf(body, contentType)
  return 'error' in content ? { text: '', toolCalls: [], error: content.error } : read(content)
}

/** The events of a stream, or the one JSON value that an answer is. */
export function eventsOf(content: AnswerContent): readonly unknown[] {
  return content.kind === 'json' ? [content.json] : content.events
}

/**
 * What a call used; undefined if the answer has neither of the two main counts.
 *
 * @param input The count of input tokens, and counts to add to it.
 * @param output The count of output tokens, and counts to add to it.
 */
export function toUsage(
  input: readonly unknown[],
  output: readonly unknown[],
  details: Partial<Given<Omit<NormalUsage, keyof Usage>>> = {},
): NormalAnswer['usage'] {
  if (numberOf(input[0]) === undefined && numberOf(output[0]) === undefined) return undefined
  return withoutUndefined<NormalUsage>({ inputTokens: sum(input), outputTokens: sum(output), ...details })
}

/** Why a model stopped, by a provider's word for it; undefined without a word. */
export function stopReasonIn(words: ReadonlyMap<unknown, StopReason>, word: unknown): StopReason | undefined {
  return textOf(word) === undefined ? undefined : (words.get(word) ?? 'other')
}

/** Texts that came one after another in a stream, as one. */
export function joined(before: unknown, added: unknown): string {
  return (textOf(before) ?? '') + (textOf(added) ?? '')
}

/** What was gathered by its index, in order. */
export function inOrder<Item>(items: ReadonlyMap<number, Item>): Item[] {
  return [...items].toSorted(([left], [right]) => left - right).map(([, item]) => item)
}

/** The error for a body or an event that does not fit its dialect. */
export function unreadable(content: unknown): NormalError {
  const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? String(content))
  return { type: 'unreadable', message: text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text }
}

/**
 * The error that a body or an event reports, if any: `{ error: { type, message, code } }` (OpenAI, Anthropic, Google and most
 * others), `{ error: "…", code }` (Ollama, xAI), `{ type: "error", message, code }` (OpenAI's responses stream), `{ object: "error", message }`
 * (Mistral, vLLM), and a `message` that is text and stands alone (Cohere, Cerebras, AWS).
 */
export function errorOf(json: unknown): NormalError | undefined {
  const record = recordOf(json)
  if (isJsonObject(record['error'])) return errorFrom(record['error'])
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

/**
 * Reads a body as JSON, or as a stream of JSON: server-sent events, lines, the elements of an array, frames of AWS's event streams. The body
 * decides, not the content type alone: errors come as JSON under `text/event-stream`, and some gateways send streams under no type at all.
 */
function contentOf(body: HttpBody, contentType: string | undefined): AnswerContent | { readonly error: NormalError } {
  if (body.json !== undefined) return Array.isArray(body.json) ? events(body.json) : { kind: 'json', json: body.json }
  const bytes = body.text === undefined ? bytesOfBody(body) : undefined
  if (bytes !== undefined && isEventStream(bytes)) return events(readFrames(bytes))
  const text = body.text ?? new TextDecoder().decode(bytes)
  const start = text.trimStart()
  if (start.startsWith('{') || start.startsWith('[')) {
    const whole = parseJson(text)
    if (whole !== undefined) return Array.isArray(whole) ? events(whole) : { kind: 'json', json: whole }
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
  for (const data of readEvents(text)) {
    if (data === '[DONE]' || data === '') continue
    const json = parseJson(data)
    list.push(json === undefined ? { error: unreadable(data) } : json)
  }
  return list
}

/** The values of JSON lines, up to a line that is cut or is not JSON. */
function readJsonLines(text: string): readonly unknown[] {
  const values: unknown[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const json = parseJson(line)
    if (json === undefined) break
    values.push(json)
  }
  return values
}

/** The whole elements of a JSON array of objects that was cut before its end: a stream of Google's without server-sent events. */
function readJsonElements(text: string): readonly unknown[] {
  const values: unknown[] = []
  let [depth, start] = [0, 0]
  // Strings come first, so that brackets within them are skipped.
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') {
      depth += 1
      if (depth === 2) start = index
    } else if (token === '}' || token === ']') {
      depth -= 1
      if (depth !== 1) continue
      const json = parseJson(text.slice(start, index + 1))
      if (json === undefined) break
      values.push(json)
    }
  }
  return values
}

function sum(counts: readonly unknown[]): number {
  return counts.reduce((total: number, count) => total + (numberOf(count) ?? 0), 0)
}
