import { printValue } from '../divergence/print-value.ts'
import type { NormalAnswer } from '../models/dialect.ts'
import { modelCallsOf } from '../replay/model-calls.ts'
import type { HttpBody, HttpInput, HttpOutput, RecordedError } from '../trace/rows.ts'
import type { Step } from '../trace/trace.ts'
import { printable } from './printable.ts'
import { count } from './units.ts'

/** More than this of one value nobody reads in a line, however wide the terminal is. */
const LONGEST_VALUE = 2000

/** What a step called: `get_order({"id":"ord_1"})`, `POST https://api.example/refunds {…}`, `openai.chat gpt-5, 3 messages`. */
export function describeCall(step: Step): string {
  const { boundary, name } = step
  if (boundary === 'tool' || boundary === 'external') return printable(`${name}(${argumentsText(step.input)})`)
  const attempt = step.attempt === undefined ? '' : `, attempt ${step.attempt}`
  const [call] = modelCallsOf([step])
  if (call !== undefined) return printable(`${name} ${call.request.model}, ${count(call.request.messages.length, 'message')}${attempt}`)
  const { method, url, ...body } = step.input as HttpInput
  return printable(`${[method, url, bodyText(body)].filter((part) => part !== '').join(' ')}${attempt}`)
}

/** What came of a step: `{"status":"packed"}`, `200 {…}`, `asks cancel_order({…})`, `threw TypeError: fetch failed`, `in flight`. */
export function describeResult(step: Step): string {
  const { boundary, error, output } = step
  if (step.settledAt === undefined) return 'in flight'
  if (error !== undefined) return `threw ${describeError(error)}`
  if (boundary === 'tool' || boundary === 'external') return valueText(output)
  const { status, ...body } = output === undefined ? {} : (output as HttpOutput)
  const [call] = modelCallsOf([step])
  const answered = call?.answer === undefined ? bodyText(body) : describeAnswer(call.answer)
  return printable([status === 200 && call !== undefined ? '' : String(status ?? ''), answered].filter((part) => part !== '').join(' '))
}

/** An error with what caused it, in one line. */
export function describeError({ name, message, code, status, cause, ...rest }: RecordedError): string {
  if ('value' in rest) return valueText(rest.value)
  const marks = [code, status].filter((mark) => mark !== undefined && !message.includes(String(mark)))
  const marked = marks.length === 0 ? '' : ` (${marks.join(', ')})`
  return printable(`${name}: ${message}${marked}${cause === undefined ? '' : `, caused by ${describeError(cause)}`}`)
}

/** A value in one line. */
export function valueText(value: unknown): string {
  return value === undefined ? 'nothing' : printable(printValue(value, LONGEST_VALUE))
}

function argumentsText(input: unknown): string {
  if (input === undefined || (Array.isArray(input) && input.length === 0)) return ''
  return valueText(input)
}

function describeAnswer({ text, toolCalls, error }: NormalAnswer): string {
  if (error !== undefined) return [error.type, error.message].filter((part) => part !== undefined).join(': ')
  const calls = toolCalls.map(({ name, args }) => `${name}(${argumentsText(args)})`)
  const asks = calls.length === 0 ? [] : [`asks ${calls.join(', ')}`]
  return [...(text === '' && calls.length > 0 ? [] : [valueText(text)]), ...asks].join(', ')
}

function bodyText({ json, text, bytes }: HttpBody): string {
  if (json !== undefined) return valueText(json)
  if (text !== undefined) return text === '' ? '' : valueText(text)
  return bytes === undefined ? '' : `${count(bytes.length, 'byte')}`
}
