import { canonical } from './hash.ts'
import { isNamedCall } from './named-urls.ts'
import { declaredEffect, mayWrite } from './requests/may-write.ts'
import type { HttpInput, HttpOutput } from './rows.ts'
import type { RunRow } from './run-row.ts'
import type { Step } from './trace.ts'
import { findUnkept, isUnwritten } from './unkept-value.ts'

/** A step that changes the outside world. */
export interface SideEffect extends Step {
  /** Not declared: an HTTP request that is not known to be read-only, made outside every tool that declares its effect. */
  readonly inferred?: true
}

/** Counts the side effects of a run, and finds repeated ones. */
export class SideEffects {
  readonly #first = new Map<string, number>()

  /**
   * Counts a side effect.
   *
   * @param key Its idempotency key, or its arguments.
   * @returns The step that made it first, if this step repeats it.
   */
  count(step: number, name: string, key: string): number | undefined {
    const identity = `${name}\n${key}`
    const first = this.#first.get(identity)
    if (first === undefined) this.#first.set(identity, step)
    return first
  }

  /** Stops counting a side effect that was refused: the next attempt counts as the first. */
  takeBack(step: number): void {
    for (const [identity, first] of this.#first) if (first === step) this.#first.delete(identity)
  }
}

/** Returns whether an answer says that the request was not carried out. */
export function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500
}

/** The parts of a header that say which requests are side effects. Ambient calls are none: fetching a token changes nothing. */
export type EffectTerms = Pick<RunRow, 'ambient' | 'effects'>

/**
 * Returns the side effects among a run's steps: declared and inferred. A request made by a tool belongs to the tool if the tool declares its effect.
 * If it declares none, the request's effect is the one that the header declares for it, or else inferred. A tool that threw is none if its body made calls
 * and every one of them is known to have written nothing: it threw before it wrote.
 */
export function sideEffectsOf(steps: readonly Step[], terms: EffectTerms): SideEffect[] {
  const owners = new Map(steps.map((step) => [step.step, step]))
  const isCovered = ({ owner }: Step): boolean => {
    const above = owners.get(owner)
    return above !== undefined && above.owner < above.step && (above.effect !== undefined || isCovered(above))
  }
  return steps.flatMap((step): SideEffect[] => {
    if (step.effect === 'write') return threwBeforeItWrote(step, steps, terms) ? [] : [step]
    const made = isCovered(step) ? undefined : writingRequest(step, terms)
    return made === undefined ? [] : [{ ...step, ...made }]
  })
}

function threwBeforeItWrote({ step, error }: Step, steps: readonly Step[], terms: EffectTerms): boolean {
  const within = error === undefined ? [] : steps.filter(({ owner }) => owner === step)
  return within.length > 0 && within.every((call) => wroteNothing(call, terms))
}

/** Whether a call is known to have written nothing. What other functions do is not known. */
function wroteNothing(call: Step, terms: EffectTerms): boolean {
  if (call.boundary === 'model' || call.effect === 'read') return true
  if (call.boundary !== 'http') return false
  return writingRequest(call, terms) === undefined || isRefusal((call.output as HttpOutput | undefined)?.status)
}

/** Returns how a request came to be a side effect: inferred or declared. Undefined for a step that is not such a request. */
export function writingRequest(
  call: Pick<Step, 'boundary' | 'name' | 'input'>,
  { ambient, effects }: EffectTerms,
): Pick<SideEffect, 'inferred'> | undefined {
  const { boundary, input } = call
  if (boundary !== 'http' || input === undefined || isNamedCall(call, ambient?.names ?? [])) return undefined
  if (!mayWrite(input as HttpInput, effects)) return undefined
  return declaredEffect(input as HttpInput, effects) === undefined ? { inferred: true } : {}
}

/** A side effect that was made before in the same run. */
export interface RepeatedSideEffect {
  /** A tool's name; for a request, its method and address. */
  readonly name: string
  /** The step that repeats it. */
  readonly step: number
  /** The step that made it first. */
  readonly first: number
}

/**
 * Returns the side effects that a run repeated: the same tool with the same idempotency key, or, without a key, with the same arguments; or the same
 * request. A side effect that was refused (answered with 4xx) was not made.
 */
export function repeatedSideEffects(sideEffects: readonly SideEffect[]): RepeatedSideEffect[] {
  const counted = new SideEffects()
  const refused: SideEffect[] = []
  return sideEffects.flatMap((made) => {
    for (const { step, settledAt = Infinity } of refused) if (settledAt <= made.at) counted.takeBack(step)
    if (made.boundary === 'http' && isRefusal((made.output as HttpOutput | undefined)?.status)) refused.push(made)
    if (hasUnwrittenInput(made)) return []
    const name = nameOfSideEffect(made)
    const first = counted.count(made.step, name, idempotencyKeyOf(made) ?? contentOf(made))
    return first === undefined ? [] : [{ name, step: made.step, first }]
  })
}

/** The identity of a side effect across runs. */
export interface EffectIdentity {
  readonly name: string
  /** Its idempotency key. Absent if it has none. */
  readonly key?: string
  /** Its input, as text that is equal for equal values. Absent if there is an idempotency key. */
  readonly content?: string
}

/** The parts of a side effect that identify it. */
export type MadeEffect = Pick<SideEffect, 'boundary' | 'inferred' | 'name' | 'input' | 'idempotencyKey'>

/** Returns the identity of a side effect, whichever run makes it. Undefined if its input is unknown. */
export function identityOf(made: MadeEffect): EffectIdentity | undefined {
  const key = idempotencyKeyOf(made)
  if (hasUnwrittenInput(made)) return undefined
  const name = nameOfSideEffect(made)
  if (key !== undefined) return { name, key }
  return findUnkept(made.input) === undefined ? { name, content: contentOf(made) } : undefined
}

/** Returns whether the input is unknown because the process died before it was written. Such a side effect equals no other. */
function hasUnwrittenInput({ boundary, input }: MadeEffect): boolean {
  // The address of a request that was written has a path, even if it is only `/`.
  if (boundary === 'http') return /^\w+:\/\/[^/?#]*$/.test((input as HttpInput).url)
  return isUnwritten(input)
}

/** Returns the display name of a side effect: a tool's name, or `POST payments.example/v1/refunds (inferred)`. */
function nameOfSideEffect({ boundary, inferred, name, input }: MadeEffect): string {
  if (boundary !== 'http') return name
  const { method, url } = input as HttpInput
  return nameOfRequest(method, url, inferred === true)
}

/** Returns the display name of a request that is a side effect. */
export function nameOfRequest(method: string, url: string, isInferred: boolean): string {
  return `${addressOfRequest(method, url)}${isInferred ? ' (inferred)' : ''}`
}

/** Returns what distinguishes writes, whatever their arguments: the tool, or the method, host and path of a request. */
export function nameOfWrite({ boundary, name, input }: Pick<Step, 'boundary' | 'name' | 'input'>): string {
  if (boundary !== 'http') return name
  const { method, url } = input as HttpInput
  return addressOfRequest(method, url)
}

/** Returns the target of a request: `POST payments.example/v1/refunds`. */
export function addressOfRequest(method: string, url: string): string {
  return `${method} ${url.replace(/^\w+:\/\//, '').replace(/[?#].*$/, '')}`
}

function idempotencyKeyOf({ boundary, idempotencyKey, input }: MadeEffect): string | undefined {
  if (idempotencyKey !== undefined || boundary !== 'http') return idempotencyKey
  return (input as HttpInput).headers.find(([header]) => header === 'idempotency-key')?.[1]
}

function contentOf({ boundary, input }: MadeEffect): string {
  if (boundary !== 'http') return canonical(input)
  const { url, json, text, bytes } = input as HttpInput
  return canonical([url, json, text, bytes])
}
