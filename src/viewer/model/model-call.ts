import { type Price, costOf } from '../../models/cost.ts'
import type { NormalAnswer, NormalMessage, NormalRequest } from '../../models/dialect.ts'
import { answerIn, dialectNamed } from '../../models/dialects.ts'
import { canonical } from '../../trace/hash.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { HttpInput } from '../../trace/rows.ts'
import type { Step } from '../../trace/trace.ts'

/** A model call, read as a conversation. */
export interface ViewedModelCall {
  /** Its messages are only the new ones, which the call before did not send. */
  readonly request: NormalRequest
  /** The number of messages before them. */
  readonly earlier: number
  /** Whether the system prompt differs from that of the call before. */
  readonly isNewSystem: boolean
  readonly isNewTools: boolean
  readonly answer?: NormalAnswer
}

/** The field of a body that holds the conversation. */
const conversationFields = ['messages', 'input', 'contents'] as const

/** Reads a model call; undefined if its dialect is unknown. @param before The model call before it, with the same owner. */
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

/** Returns the whole conversation of a model call. */
export function wholeConversation(step: Step): readonly NormalMessage[] {
  return requestOf(step)?.messages ?? []
}

/** Returns the system prompts of a model call, wherever its dialect has them. */
export function systemOf(step: Step): readonly string[] {
  return requestOf(step)?.system ?? []
}

/** Returns the model that a call asks for; empty if it names none. */
export function modelOf(step: Step): string {
  return requestOf(step, Infinity)?.model ?? ''
}

/** Returns the request of a model call with a part of its conversation; undefined if its dialect is unknown. */
function requestOf(step: Step, start = 0, end?: number): NormalRequest | undefined {
  const { json, url } = inputOf(step)
  return dialectNamed(step.name)?.request(withMessages(json, start, end), url)
}

const answers = new WeakMap<Step, NormalAnswer>()

/** Returns the answer of a model call, or the part that arrived. The answer of a stream is assembled once. */
export function readAnswer(step: Step): NormalAnswer | undefined {
  const answer = answers.get(step) ?? answerIn(step.name, step.output)
  if (answer !== undefined) answers.set(step, answer)
  return answer
}

/** Returns the cost of a model call in US dollars; undefined if its price is unknown. */
export function costOfCall(step: Step, prices: Readonly<Record<string, Price>>): number | undefined {
  const model = modelOf(step)
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined
  const usage = price && readAnswer(step)?.usage
  return price && usage && costOf(usage, price)
}

function inputOf(step: Step): HttpInput {
  return (step.input ?? {}) as HttpInput
}

/** Whether the system prompts are unchanged. System prompts among the shared messages are unchanged. */
function isSystemKept(json: unknown, known: number, old: NormalRequest, request: NormalRequest): boolean {
  if (fieldOf(json) === undefined || known === 0) return canonical(old.system) === canonical(request.system)
  return request.system.length === 0 || canonical(old.system) === canonical(request.system)
}

/** Returns how many messages both bodies start with. Messages that a conversation repeats are shared objects in a trace. */
function sharedMessages(before: unknown, now: unknown): number {
  const [old, own] = [fieldOf(before)?.messages, fieldOf(now)?.messages]
  if (old === undefined || own === undefined) return 0
  let shared = 0
  while (shared < old.length && shared < own.length && isSame(old[shared], own[shared])) shared += 1
  // A repeated call shares all messages with the call before: its last message is shown as new.
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

/** Returns a body with a part of its conversation. */
function withMessages(json: unknown, start: number, end?: number): unknown {
  const found = fieldOf(json)
  return found === undefined ? json : { ...(json as object), [found.field]: found.messages.slice(start, end) }
}
