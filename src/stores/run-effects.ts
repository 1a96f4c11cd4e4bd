import { builtins } from '../node/builtins.ts'
import { holdsStandIn } from '../redaction/stand-in.ts'
import type { CallRow, HttpInput } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import { mayWrite } from '../trace/reading-requests.ts'
import { type EffectIdentity, identityOf, isRefusal } from '../trace/side-effects.ts'
import type { RunEffect } from './run-summary.ts'

/** How many side effects of a run are known by their keys. */
const MOST_EFFECTS = 100

/** Longer keys are known by their hash, in characters. */
const LONGEST_KEY = 200

/**
 * Collects the side effects of a run from its rows, so that the same one can be found in another run. Stand-ins are numbered within a
 * trace: two runs with `redacted00001` had different values there. So what redaction took something out of is left out.
 */
export class RunEffects {
  readonly #header: RunRow
  /** Steps of functions that declare an effect, and all within: a request there is theirs. */
  readonly #covered = new Set<number>()
  /** By what they are. */
  readonly #effects = new Map<string, RunEffect>()
  /** Requests that were not answered yet: one that is refused was not made. */
  readonly #unanswered = new Map<number, string>()

  constructor(header: RunRow) {
    this.#header = header
  }

  call(row: CallRow): void {
    const { step, owner, boundary, effect } = row
    const isWithin = this.#covered.has(owner)
    if (effect !== undefined || isWithin) this.#covered.add(step)
    const isInferred = effect !== 'write' && boundary === 'http' && !isWithin && this.#infers(row)
    if (!(effect === 'write' || isInferred) || this.#effects.size >= MOST_EFFECTS || !this.#isMade(row)) return
    const identity = identityOf({ ...row, ...(isInferred && { inferred: true }) })
    const found = identity && toEffect(identity, row)
    if (found === undefined) return
    const key = `${found.name}\n${found.key ?? ''}\n${found.hash ?? ''}`
    if (this.#effects.has(key)) return
    this.#effects.set(key, found)
    if (isInferred) this.#unanswered.set(step, key)
  }

  /** A request is answered. */
  answers(step: number, status: number | undefined): void {
    const key = this.#unanswered.get(step)
    if (key === undefined) return
    this.#unanswered.delete(step)
    if (isRefusal(status)) this.#effects.delete(key)
  }

  get list(): readonly RunEffect[] {
    return [...this.#effects.values()]
  }

  #infers({ name, input }: CallRow): boolean {
    return input !== undefined && this.#header.ambient?.names.includes(name) !== true && mayWrite(input as HttpInput)
  }

  /** A fork makes the recorded part of its run again from the recording, and of the rest only what goes out live. */
  #isMade({ step, name }: CallRow): boolean {
    const { forkedFrom } = this.#header
    return forkedFrom === undefined || (step >= forkedFrom.step && forkedFrom.routes[name] === 'live')
  }
}

/** A long idempotency key as it is kept. Keys are compared, and not shown in full beyond that. */
export function toKeptKey(key: string): string {
  return key.length > LONGEST_KEY ? `sha256:${hashOf(key)}` : key
}

function toEffect({ name, key, content = '' }: EffectIdentity, { step, at }: CallRow): RunEffect | undefined {
  if (isRedacted(`${name}\n${key ?? content}`)) return undefined
  return { name, ...(key === undefined ? { hash: hashOf(`${name}\n${content}`) } : { key: toKeptKey(key) }), step, at }
}

/** Of a number that a path names, the stand-in begins with 99990. */
function isRedacted(text: string): boolean {
  return holdsStandIn(text) || /(?<!\d)99990\d/.test(text)
}

function hashOf(text: string): string {
  return builtins.crypto.hash('sha256', text).slice(0, 32)
}
