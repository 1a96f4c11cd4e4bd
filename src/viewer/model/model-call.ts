import { type Price, costOf } from '../../models/cost.ts'
import type { NormalAnswer, NormalMessage, NormalRequest } from '../../models/dialect.ts'
import { dialectNamed } from '../../models/dialects.ts'
import { canonical } from '../../trace/hash.ts'
import { headerOf } from '../../trace/assemble.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { HttpInput, HttpOutput } from '../../trace/rows.ts'
import type { Step } from '../../trace/trace.ts'

/** A model call, read as a conversation. */
export interface ViewedModelCall {
  /** Its messages are only those that the call before did not send. */
  readonly request: NormalRequest
  /** How many messages stand before them. */
  readonly earlier: number
  /** Whether the system prompt, or the tools, differ from those of the call before. */
  readonly isNewSystem: boolean
  readonly isNewTools: boolean
  readonly answer?: NormalAnswer
}

/** The field of a body that holds the conversation. */
const conversationFields = ['messages', 'input', 'contents'] as const

/** Reads a model call; undefined where its dialect is unknown. @param before The model call before it, of the same owner. */
export function readModelCall(step: Step, before?: Step): ViewedModelCall | undefined {
  if (step.boundary !== 'model') return undefined
  const { json } = inputOf(step)
  const last = before?.name === step.name ? before : undefined
  const known = last === undefined ? 0 : sharedMessages(inputOf(last).json, json)
  const old = last && requestOf(last, Infinity)
  const request = requestOf(step, known)
  if (request === undefined) return undefined
  return {
    request,
    earlier: known === 0 ? 0 : (requestOf(step, 0, known)?.messages.length ?? 0),
    isNewSystem: old === undefined || !isSystemKept(json, known, old, request),
    isNewTools: old === undefined || canonical(request.tools) !== canonical(old.tools),
    ...omitUndefined({ answer: readAnswer(step) }),
  }
}

/** The whole conversation of a model call. */
export function wholeConversation(step: Step): readonly NormalMessage[] {
  return requestOf(step)?.messages ?? []
}

/** The system prompts of a model call, wherever its dialect has them. */
export function systemOf(step: Step): readonly string[] {
  return requestOf(step)?.system ?? []
}

/** The model that a call asks for; empty if it names none. */
export function modelOf(step: Step): string {
  return requestOf(step, Infinity)?.model ?? ''
}

/** The request of a model call with a part of its conversation; undefined where its dialect is unknown. */
function requestOf(step: Step, start = 0, end?: number): NormalRequest | undefined {
  const { json, url } = inputOf(step)
  return dialectNamed(step.name)?.request(withMessages(json, start, end), url)
}

const answers = new WeakMap<Step, NormalAnswer>()

/** The answer of a model call, or what arrived of it. A stream is put together once. */
export function readAnswer(step: Step): NormalAnswer | undefined {
  const known = answers.get(step)
  const output = step.output as HttpOutput | undefined
  if (known !== undefined || output === undefined) return known
  const answer = dialectNamed(step.name)?.answer(output, headerOf(output.headers, 'content-type'))
  if (answer !== undefined) answers.set(step, answer)
  return answer
}

/** What a model call cost in US dollars, if its price is known. */
export function costOfCall(step: Step, prices: Readonly<Record<string, Price>>): number | undefined {
  const model = modelOf(step)
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined
  const usage = price && readAnswer(step)?.usage
  return price && usage && costOf(usage, price)
}

function inputOf(step: Step): HttpInput {
  return (step.input ?? {}) as HttpInput
}

/** System prompts that stand among the messages are kept with them. */
function isSystemKept(json: unknown, known: number, old: NormalRequest, request: NormalRequest): boolean {
  if (fieldOf(json) === undefined || known === 0) return canonical(old.system) === canonical(request.system)
  return request.system.length === 0 || canonical(old.system) === canonical(request.system)
}

/** How many messages both bodies begin with. A trace's rows share what a conversation sends again. */
function sharedMessages(before: unknown, now: unknown): number {
  const [old, own] = [fieldOf(before)?.messages, fieldOf(now)?.messages]
  if (old === undefined || own === undefined) return 0
  let shared = 0
  while (shared < old.length && shared < own.length && isSame(old[shared], own[shared])) shared += 1
  // All of it is shared by a call that is made again: its last message is what it asks.
  return shared === own.length ? Math.max(0, shared - 1) : shared
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || canonical(one) === canonical(other)
}

function fieldOf(json: unknown): { readonly field: string; readonly messages: readonly unknown[] } | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  for (const field of conversationFields) {
    const messages: unknown = Object.hasOwn(json, field) ? Reflect.get(json, field) : undefined
    if (Array.isArray(messages)) return { field, messages }
  }
  return undefined
}

/** A body with a part of its conversation. */
function withMessages(json: unknown, start: number, end?: number): unknown {
  const found = fieldOf(json)
  return found === undefined ? json : { ...(json as object), [found.field]: found.messages.slice(start, end) }
}
