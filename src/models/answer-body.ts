import { isJsonObject, parseJson } from '../trace/json.ts'
import { bytesOfBody } from '../trace/body.ts'
import type { HttpBody, Usage } from '../trace/rows.ts'
import type { NormalAnswer, NormalError, NormalUsage, StopReason } from './dialect.ts'
import { isEventStream, readFrames } from './event-stream.ts'
import { numberOf, recordOf, textOf } from './json-fields.ts'
import { readEvents } from './server-sent-events.ts'
import { type Given, withoutUndefined } from './normal-shapes.ts'

/** The content of an answer: one JSON value, or the events of a stream, whatever its framing. */
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

/** Returns the events of a stream, or the single JSON value of an answer. */
export function eventsOf(content: AnswerContent): readonly unknown[] {
  return content.kind === 'json' ? [content.json] : content.events
}

/**
 * Returns the usage of a call; undefined if the answer has neither of the two main counts.
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

/** Translates a provider's word for why a model stopped; undefined without a word. */
export function stopReasonIn(words: ReadonlyMap<unknown, StopReason>, word: unknown): StopReason | undefined {
  return textOf(word) === undefined ? undefined : (words.get(word) ?? 'other')
}

/** Joins texts that arrived one after another in a stream. */
export function joined(before: unknown, added: unknown): string {
  return (textOf(before) ?? '') + (textOf(added) ?? '')
}

/** Returns the items in the order of their index. */
export function inOrder<Item>(items: ReadonlyMap<number, Item>): Item[] {
  return [...items].toSorted(([left], [right]) => left - right).map(([, item]) => item)
}

/** Returns the error for a body or an event that does not match its dialect. */
export function unreadable(content: unknown): NormalError {
  const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? String(content))
  return { type: 'unreadable', message: text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text }
}

/**
 * Returns the error that a body or an event reports, if any: `{ error: { type, message, code } }` (OpenAI, Anthropic, Google and most others),
 * `{ error: "…", code }` (Ollama, xAI), `{ type: "error", message, code }` (OpenAI's responses stream), `{ object: "error", message }` (Mistral,
 * vLLM), and a lone `message` that is text (Cohere, Cerebras, AWS).
 */
export function errorOf(json: unknown): NormalError | undefined {
  const record = recordOf(json)
  if (isJsonObject(record['error'])) return errorFrom(record['error'])
  if (textOf(record['error']) !== undefined) return { message: String(record['error']), ...codeOf(record) }
  if (record['type'] === 'error' || record['object'] === 'error') return errorFrom(record)
  return textOf(record['message'] ?? record['Message']) === undefined ? undefined : errorFrom(record)
}

/** Google's name for an error is its `status`, AWS's its `__type`. */
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
 * Reads a body as JSON, or as a stream of JSON: server-sent events, lines, the elements of an array, frames of an AWS event stream. The body decides,
 * not only the content type: errors arrive as JSON under `text/event-stream`, and some gateways send streams without a content type.
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

/** Returns the values of JSON lines, up to a line that is truncated or is not JSON. */
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

/** Returns the complete elements of a truncated JSON array of objects: a stream of Google's without server-sent events. */
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
