import { builtins } from '../node/builtins.ts'
import { findShaped } from '../redaction/find-shaped.ts'
import { StandInList } from '../redaction/stand-in-list.ts'
import { listsStandIns } from '../redaction/stand-in-rows.ts'
import type { CallRow } from '../trace/rows.ts'
import type { StandInRow } from '../trace/stand-in-row.ts'
import type { RunRow } from '../trace/run-row.ts'
import { type EffectIdentity, identityOf, isRefusal, writingRequest } from '../trace/side-effects.ts'
import type { RunEffect } from './run-summary.ts'

/** The most side effects recorded per run. */
const MOST_EFFECTS = 100

/** A longer key is replaced by its hash. In characters. */
const LONGEST_KEY = 200

/**
 * Collects the side effects of a run from its rows, so that the same side effect can be found in another run. Stand-ins are numbered within a
 * trace: the first one stands for different values in two runs. Side effects with a redacted part are therefore left out.
 */
export class RunEffects {
  readonly #header: RunRow
  /** Steps that declare an effect, and all steps within them: a request there is part of that effect. */
  readonly #covered = new Set<number>()
  /** By name and key or hash. */
  readonly #effects = new Map<string, RunEffect>()
  /** Requests without an answer yet: a refused request is not a side effect. */
  readonly #unanswered = new Map<number, string>()
  #standIns: StandInList | undefined

  constructor(header: RunRow) {
    this.#header = header
  }

  standIn({ of, text }: StandInRow): void {
    this.#standIns ??= new StandInList()
    this.#standIns.add(of, text)
  }

  call(row: CallRow): void {
    const { step, owner, effect } = row
    const isWithin = this.#covered.has(owner)
    if (effect !== undefined || isWithin) this.#covered.add(step)
    const request = effect === 'write' || isWithin ? undefined : writingRequest(row, this.#header)
    if (!(effect === 'write' || request !== undefined) || this.#effects.size >= MOST_EFFECTS || !this.#isMade(row)) return
    const identity = identityOf({ ...row, ...request })
    const found = identity && this.#toEffect(identity, row)
    if (found === undefined) return
    const key = `${found.name}\n${found.key ?? ''}\n${found.hash ?? ''}`
    if (this.#effects.has(key)) return
    this.#effects.set(key, found)
    if (request !== undefined) this.#unanswered.set(step, key)
  }

  /** Handles the answer to a request. */
  answers(step: number, status: number | undefined): void {
    const key = this.#unanswered.get(step)
    if (key === undefined) return
    this.#unanswered.delete(step)
    if (isRefusal(status)) this.#effects.delete(key)
  }

  get list(): readonly RunEffect[] {
    return [...this.#effects.values()]
  }

  #toEffect({ name, key, content = '' }: EffectIdentity, { step, at }: CallRow): RunEffect | undefined {
    if (this.#isRedacted(`${name}\n${key ?? content}`)) return undefined
    return { name, ...(key === undefined ? { hash: hashOf(`${name}\n${content}`) } : { key: toKeptKey(key) }), step, at }
  }

  /** Returns whether a text holds a stand-in. The shape of a number that a path names is 99990 and more digits. */
  #isRedacted(text: string): boolean {
    if (listsStandIns(this.#header)) return this.#standIns !== undefined && this.#standIns.find(text).length > 0
    return findShaped(text).length > 0 || /(?<!\d)99990\d/.test(text)
  }

  /** Returns whether the run really made a call. A fork answers the recorded part from the recording, and later calls only go out if they are live. */
  #isMade({ step, name }: CallRow): boolean {
    const { forkedFrom } = this.#header
    return forkedFrom === undefined || (step >= forkedFrom.step && forkedFrom.routes[name] === 'live')
  }
}

/** Returns an idempotency key as it is kept. A long one is hashed: keys are only compared, and not shown in full. */
export function toKeptKey(key: string): string {
  return key.length > LONGEST_KEY ? `sha256:${hashOf(key)}` : key
}

function hashOf(text: string): string {
  return builtins.crypto.hash('sha256', text).slice(0, 32)
}
