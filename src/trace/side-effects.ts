import { canonical } from './hash.ts'
import { mayWrite } from './reading-requests.ts'
import type { HttpInput, HttpOutput } from './rows.ts'
import type { Step } from './trace.ts'
import { findUnkept, UNWRITTEN, UnkeptValue } from './unkept-value.ts'

/** A step that changes the world outside. */
export interface SideEffect extends Step {
  /** Nobody said so: it is an HTTP request that is not known only to read, outside of every tool that says what it does. */
  readonly inferred?: true
}

/** Counts the side effects of a run, and finds the one that is made again. */
export class SideEffects {
  readonly #first = new Map<string, number>()

  /**
   * Counts a side effect.
   *
   * @param key Its idempotency key, or its arguments.
   * @returns The step that made it first, when this one repeats it.
   */
  count(step: number, name: string, key: string): number | undefined {
    const identity = `${name}\n${key}`
    const first = this.#first.get(identity)
    if (first === undefined) this.#first.set(identity, step)
    return first
  }

  /** A side effect was refused: whoever makes it again makes it for the first time. */
  takeBack(step: number): void {
    for (const [identity, first] of this.#first) if (first === step) this.#first.delete(identity)
  }
}

/** Whether an answer says that what was asked for was not done. */
export function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500
}

/**
 * The side effects among a run's steps: those that say so, and those that are inferred. A request that a tool makes is the tool's, which says whether it
 * writes; of one that says nothing it is inferred.
 *
 * @param ambient Names of calls that belong to the process: fetching a token changes nothing. Default: none.
 */
export function sideEffectsOf(steps: readonly Step[], ambient: readonly string[] = []): SideEffect[] {
  const owners = new Map(steps.map((step) => [step.step, step]))
  const isCovered = ({ owner }: Step): boolean => {
    const above = owners.get(owner)
    return above !== undefined && above.owner < above.step && (above.effect !== undefined || isCovered(above))
  }
  return steps.flatMap((step): SideEffect[] => {
    if (step.effect === 'write') return [step]
    const isInferred = step.boundary === 'http' && isWritingStep(step) && !ambient.includes(step.name) && !isCovered(step)
    return isInferred ? [{ ...step, inferred: true }] : []
  })
}

function isWritingStep({ input }: Step): boolean {
  return input !== undefined && mayWrite(input as HttpInput)
}

/** A side effect that was made before in the same run. */
export interface RepeatedSideEffect {
  /** A tool's name; of an inferred one the request's method and address. */
  readonly name: string
  /** The step that repeats it. */
  readonly step: number
  /** The step that made it first. */
  readonly first: number
}

/**
 * The side effects that a run repeated: the same tool with the same idempotency key, or without one with the same arguments; the same request. One
 * that was refused (answered with 4xx) was not made.
 */
export function repeatedSideEffects(sideEffects: readonly SideEffect[]): RepeatedSideEffect[] {
  const counted = new SideEffects()
  const refused: SideEffect[] = []
  return sideEffects.flatMap((made) => {
    for (const { step, settledAt = Infinity } of refused) if (settledAt <= made.at) counted.takeBack(step)
    if (made.inferred === true && isRefusal((made.output as HttpOutput | undefined)?.status)) refused.push(made)
    if (isUnwritten(made)) return []
    const name = nameOfSideEffect(made)
    const first = counted.count(made.step, name, idempotencyKeyOf(made) ?? contentOf(made))
    return first === undefined ? [] : [{ name, step: made.step, first }]
  })
}

/** What tells a side effect from those of other runs. */
export interface EffectIdentity {
  readonly name: string
  /** Its idempotency key. Absent if it has none. */
  readonly key?: string
  /** What it was called with, as text that is equal for equal values. Absent if there is an idempotency key. */
  readonly content?: string
}

/** What a side effect is, whichever run makes it. Undefined if it is not known what it was called with. */
export function identityOf(made: Pick<SideEffect, 'inferred' | 'name' | 'input' | 'idempotencyKey'>): EffectIdentity | undefined {
  const key = idempotencyKeyOf(made)
  if (isUnwritten(made)) return undefined
  const name = nameOfSideEffect(made)
  if (key !== undefined) return { name, key }
  return findUnkept(made.input) === undefined ? { name, content: contentOf(made) } : undefined
}

/** Whether nothing is known of what it was called with: the process died before that was written. It is equal to nothing. */
function isUnwritten({ inferred, input }: Pick<SideEffect, 'inferred' | 'input'>): boolean {
  // The address of a request that was written has a path, though it be `/`.
  if (inferred === true) return /^\w+:\/\/[^/?#]*$/.test((input as HttpInput).url)
  return input instanceof UnkeptValue && input.reason === UNWRITTEN
}

/** What a side effect is called: a tool's name, or `POST payments.example/v1/refunds (inferred)`. */
function nameOfSideEffect({ inferred, name, input }: Pick<SideEffect, 'inferred' | 'name' | 'input'>): string {
  if (inferred !== true) return name
  const { method, url } = input as HttpInput
  return nameOfRequest(method, url)
}

/** What an inferred side effect is called. */
export function nameOfRequest(method: string, url: string): string {
  return `${addressOfRequest(method, url)} (inferred)`
}

/** What tells writes apart, whatever their arguments: the tool, or the method, host and path of a request. */
export function nameOfWrite({ boundary, name, input }: Pick<Step, 'boundary' | 'name' | 'input'>): string {
  if (boundary !== 'http') return name
  const { method, url } = input as HttpInput
  return addressOfRequest(method, url)
}

/** What a request is sent to: `POST payments.example/v1/refunds`. */
export function addressOfRequest(method: string, url: string): string {
  return `${method} ${url.replace(/^\w+:\/\//, '').replace(/[?#].*$/, '')}`
}

function idempotencyKeyOf({
  inferred,
  idempotencyKey,
  input,
}: Pick<SideEffect, 'inferred' | 'idempotencyKey' | 'input'>): string | undefined {
  if (idempotencyKey !== undefined || inferred !== true) return idempotencyKey
  return (input as HttpInput).headers.find(([header]) => header === 'idempotency-key')?.[1]
}

function contentOf({ inferred, input }: Pick<SideEffect, 'inferred' | 'input'>): string {
  if (inferred !== true) return canonical(input)
  const { url, json, text, bytes } = input as HttpInput
  return canonical([url, json, text, bytes])
}
