import type { RequestHandler } from 'msw'
import { dialectNamed } from '../../models/dialects.ts'
import { bytesOfBody } from '../../trace/body.ts'
import { copyValue, fromRecorded } from '../../trace/values.ts'
import { isErrorObject } from '../../trace/error-parts.ts'
import type { HttpInput } from '../../trace/rows.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { ReplaySettings } from '../contract/replay-options.ts'
import { printValue } from '../../divergence/print-value.ts'
import type { AnswerParts, Dialect, ModelResponse, NormalAnswer } from '../../models/dialect.ts'
import { jsonResponse } from '../../models/made-answer.ts'
import { isFields } from '../../divergence/same-value.ts'
import { type HttpAnswer, isResponse, isSpelledOut, readResponse, toHttpAnswer } from './http-answer.ts'

/** The result if no handler answers. */
export const unanswered: unique symbol = Symbol('unanswered')

/** Answers calls that the trace does not have: from the given answers, by name, and from MSW handlers. */
export class Answers {
  readonly #settings: ReplaySettings
  readonly #option: string

  /** @param option The option with the answers, which errors name. */
  constructor(settings: ReplaySettings, option = 'answers') {
    this.#settings = settings
    this.#option = option
  }

  /** Whether there is an answer for the call's name. */
  has(call: ReplayCall): boolean {
    return this.#keyFor(call) !== undefined
  }

  /** The answer to a call, or undefined if there is none. Rejects with the error with which the call fails. */
  for(call: ReplayCall): Promise<unknown> | undefined {
    const { answers, handlers } = this.#settings
    const key = this.#keyFor(call)
    const input = fromRecorded(call.input?.value as never)
    if (key !== undefined) return this.#given(call, input, answers[key])
    if (handlers.length === 0 || (call.boundary !== 'http' && call.boundary !== 'model')) return undefined
    return this.#handled(input as HttpInput)
  }

  #keyFor(call: ReplayCall): string | undefined {
    return [call.name, call.driver, call.boundary].find((name) => name !== undefined && Object.hasOwn(this.#settings.answers, name))
  }

  async #given(call: ReplayCall, input: unknown, answer: unknown): Promise<unknown> {
    const value: unknown = typeof answer === 'function' ? await answer(input, { name: call.name }) : answer
    if (isErrorObject(value)) throw value
    if (call.boundary === 'tool' || call.boundary === 'external') return cloneHere(value)
    if (isResponse(value)) return readResponse(value.clone())
    const dialect = dialectNamed(call.name)
    const isHttp = dialect === undefined || isSpelledOut(value)
    const made = isHttp ? toHttpAnswer(call.name, value) : toModelAnswer(dialect, value, input as HttpInput)
    if ('problem' in made) throw this.#settings.misused.add(this.#option, made.problem)
    return made
  }

  async #handled(input: HttpInput): Promise<HttpAnswer | typeof unanswered> {
    const { getResponse } = await import('msw')
    const body = bytesOfBody(input)
    const request = new Request(input.url, {
      method: input.method,
      headers: input.headers.map(([name, value]): [string, string] => [name, value]),
      ...(body.length > 0 ? { body: body.slice() } : {}),
    })
    const response = await getResponse(this.#settings.handlers as RequestHandler[], request)
    return response === undefined ? unanswered : readResponse(response)
  }
}

/** A copy in the realm of this code: in a `node:vm` context (Jest's sandbox), `structuredClone` returns objects of a different realm. */
function cloneHere(value: unknown): unknown {
  const clone: unknown = structuredClone(value)
  return typeof clone === 'object' && clone !== null && !(structuredClone({}) instanceof Object) ? copyValue(clone) : clone
}

const taken =
  'It takes a text, { text, toolCalls: [{ name, args }], reasoning }, the JSON that the provider would answer with, { status, headers, json }, a Response, an Error, or a function that returns one of them.'

/** Converts a value given as a model's answer to an HTTP answer, or explains what is wrong with it. */
function toModelAnswer(dialect: Dialect, value: unknown, { json, url }: HttpInput): ModelResponse | { readonly problem: string } {
  const wrong = isParts(value) ? wrongToolCall(value) : undefined
  if (wrong !== undefined)
    return { problem: `cannot answer ${dialect.name} with the tool call ${print(wrong)}: it has to be { name, args }, and may have an id.` }
  if (typeof value === 'string' || isParts(value)) return dialect.respond(value, json, url)
  const read = isFields(value) ? dialect.answer({ json: value }, 'application/json') : undefined
  if (read === undefined || read.error !== undefined) return { problem: `cannot answer ${dialect.name} with ${print(value)}. ${taken}` }
  return dialect.request(json, url).stream ? dialect.respond(partsOf(read), json, url) : jsonResponse(value)
}

const partNames: ReadonlySet<string> = new Set<keyof AnswerParts>(['text', 'toolCalls', 'reasoning'])

function isParts(value: unknown): value is AnswerParts {
  return isFields(value) && Object.keys(value).every((name) => partNames.has(name))
}

/** The first tool call with anything but a name, arguments and an id. */
function wrongToolCall({ toolCalls = [] }: AnswerParts): unknown {
  const parts = new Set(['name', 'args', 'id'])
  return toolCalls.find(
    (call: unknown) => !isFields(call) || typeof call['name'] !== 'string' || Object.keys(call).some((key) => !parts.has(key)),
  )
}

function partsOf({ text, toolCalls, reasoning }: NormalAnswer): AnswerParts {
  return { text, toolCalls, ...(reasoning !== undefined && { reasoning }) }
}

function print(value: unknown): string {
  return value === undefined ? 'undefined' : printValue(value, 60)
}
