import { dialectNamed } from '../models/dialects.ts'
import type { NormalAnswer } from '../models/dialect.ts'
import { readSqlInput, summarizeSqlOutput, type SqlInput } from '../models/read-sql.ts'
import type { Boundary } from '../trace/boundary.ts'
import type { HttpBody, RecordedError } from '../trace/rows.ts'
import type { Step } from '../trace/trace.ts'
import { cutText, printValue } from './print-value.ts'
import { isFields, type Fields } from './same-value.ts'

/** A call on one line of at most `max` characters: `get_order({"id":"ord_1"})`, `POST https://host/path {…}`, `openai.chat (gpt-4.1, 4 messages)`. */
export function describeCall(boundary: Boundary, name: string, input: unknown, max: number = Infinity): string {
  if (boundary === 'tool' || boundary === 'external') return describeFunctionCall(name, input, max)
  const { method, url, json, text, bytes }: Fields = isFields(input) ? input : {}
  if (boundary === 'model') return cutText(`${name} (${describeRequest(name, json, String(url))})`, max)
  const body = json ?? text ?? bytes
  const line = `${String(method)} ${String(url)}`
  return cutText(body === undefined ? line : `${line} ${printValue(body, max)}`, max)
}

/** The result of a step, on one line of at most `max` characters. */
export function describeResult({ boundary, name, input, output, error, settledAt }: Step, max: number = Infinity): string {
  if (error !== undefined) return cutText(`throws ${describeError(error)}`, max)
  if (output === undefined && settledAt === undefined) return 'in flight'
  if (boundary === 'external' && readSqlInput(input) !== undefined) return cutText(summarizeSqlOutput(output) ?? printValue(output), max)
  if (boundary === 'tool' || boundary === 'external') return printValue(output, max)
  const { status, headers, json, text, bytes }: Fields = isFields(output) ? output : {}
  if (boundary === 'model') {
    const answer = dialectNamed(name)?.answer(toBody(json, text, bytes), contentTypeOf(headers))
    if (answer !== undefined) return cutText(describeAnswer(answer, status), max)
  }
  const body = json ?? text ?? bytes
  return cutText(body === undefined ? String(status) : `${String(status)} ${printValue(body, max)}`, max)
}

/** A call of a tool or an external with its arguments; of a database driver with its statement. */
export function describeFunctionCall(name: string, input: unknown, max: number = Infinity): string {
  const asked = readSqlInput(input)
  if (asked !== undefined) return cutText(describeStatement(name, asked), max)
  const isEmpty = input === undefined || (Array.isArray(input) && input.length === 0)
  return cutText(isEmpty ? `${name}()` : `${name}(${printValue(input, Math.max(0, max - name.length - 2))})`, max)
}

/** `pg SELECT * FROM orders WHERE id = $1 ["ord_1"]`. The name ends with the statement's first word. */
function describeStatement(name: string, { sql, values }: SqlInput): string {
  const [driver, ...verb] = name.split(' ')
  const text = sql.replace(/\s+/g, ' ').trim()
  const isNamed = text.toLowerCase().startsWith(verb.join(' ').toLowerCase())
  return `${isNamed ? driver : `${name}:`} ${text}${values === undefined ? '' : ` ${printValue(values)}`}`
}

/** An error's name and the first line of its message. */
export function describeError({ name, message }: Pick<RecordedError, 'name' | 'message'>): string {
  return `${name}: ${message.split('\n', 1)[0] ?? ''}`
}

function describeRequest(name: string, json: unknown, url: string): string {
  const request = dialectNamed(name)?.request(json, url)
  if (request === undefined) return url
  const count = request.messages.length
  return `${request.model === '' ? '' : `${request.model}, `}${count} ${count === 1 ? 'message' : 'messages'}`
}

function describeAnswer({ toolCalls, text, error }: NormalAnswer, status: unknown): string {
  if (error !== undefined) return `${String(status)} ${error.message}`
  const calls = toolCalls.map((call) => describeFunctionCall(call.name, call.args))
  return [...(text === '' && calls.length > 0 ? [] : [printValue(text)]), ...calls].join(' ')
}

function toBody(json: unknown, text: unknown, bytes: unknown): HttpBody {
  if (json !== undefined) return { json }
  if (typeof text === 'string') return { text }
  return ArrayBuffer.isView(bytes) ? { bytes: bytes as Uint8Array } : {}
}

function contentTypeOf(headers: unknown): string | undefined {
  const pairs: readonly unknown[] = Array.isArray(headers) ? headers : []
  const pair = pairs.find((candidate): candidate is unknown[] => Array.isArray(candidate) && candidate[0] === 'content-type')
  return pair === undefined ? undefined : String(pair[1])
}
