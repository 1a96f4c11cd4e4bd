import { printValue } from '../../divergence/print-value.ts'
import type { AnswerParts, Dialect, ModelResponse, NormalAnswer } from '../../models/dialect.ts'
import { jsonResponse } from '../../models/made-answer.ts'
import { isFields } from '../../divergence/same-value.ts'
import type { HttpInput } from '../../trace/rows.ts'

const taken =
  'It takes a text, { text, toolCalls, reasoning }, the JSON that the provider would answer with, { status, headers, json }, a Response, or a function that returns one of them.'

/** Converts a value given as a model's answer to an HTTP answer, or explains what is wrong with it. */
export function toModelAnswer(dialect: Dialect, value: unknown, { json, url }: HttpInput): ModelResponse | { readonly problem: string } {
  if (typeof value === 'string' || isParts(value)) return dialect.respond(value, json, url)
  const read = isFields(value) ? dialect.answer({ json: value }, 'application/json') : undefined
  if (read === undefined || read.error !== undefined) return { problem: `cannot answer ${dialect.name} with ${print(value)}. ${taken}` }
  return dialect.request(json, url).stream ? dialect.respond(partsOf(read), json, url) : jsonResponse(value)
}

const partNames: ReadonlySet<string> = new Set<keyof AnswerParts>(['text', 'toolCalls', 'reasoning'])

function isParts(value: unknown): value is AnswerParts {
  return isFields(value) && Object.keys(value).every((name) => partNames.has(name))
}

function partsOf({ text, toolCalls, reasoning }: NormalAnswer): AnswerParts {
  return { text, toolCalls, ...(reasoning !== undefined && { reasoning }) }
}

function print(value: unknown): string {
  return value === undefined ? 'undefined' : printValue(value, 60)
}
