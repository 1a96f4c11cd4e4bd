import { builtins } from '../node/builtins.ts'
import { holdsStandIn } from '../redaction/stand-in.ts'
import type { CallRow, HttpInput } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import { mayWrite } from '../trace/reading-requests.ts'
import { type EffectIdentity, identityOf, isRefusal } from '../trace/side-effects.ts'
import type { RunEffect } from './run-summary.ts'

/** The most side effects recorded per run. */
const MOST_EFFECTS = 100

/** A longer key is replaced by its hash. In characters. */
const LONGEST_KEY = 200

/**
 * Collects the side effects of a run from its rows, so that the same side effect can be found in another run. Stand-ins are numbered within a
 * trace: `redacted00001` stands for different values in two runs. Side effects with a redacted part are therefore left out.
 */
export class RunEffects {
  readonly #header: RunRow
  /** Steps that declare an effect, and all steps within them: a request there is part of that effect. */
  readonly #covered = new Set<number>()
  /** By name and key or hash. */
  readonly #effects = new Map<string, RunEffect>()
  /** Requests without an answer yet: a refused request is not a side effect. */
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

  #infers({ name, input }: CallRow): boolean {
    return input !== undefined && this.#header.ambient?.names.includes(name) !== true && mayWrite(input as HttpInput)
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

function toEffect({ name, key, content = '' }: EffectIdentity, { step, at }: CallRow): RunEffect | undefined {
  if (isRedacted(`${name}\n${key ?? content}`)) return undefined
  return { name, ...(key === undefined ? { hash: hashOf(`${name}\n${content}`) } : { key: toKeptKey(key) }), step, at }
}

/** Returns whether a text holds a stand-in. The stand-in of a number that a path names begins with 99990. */
function isRedacted(text: string): boolean {
  return holdsStandIn(text) || /(?<!\d)99990\d/.test(text)
}

function hashOf(text: string): string {
  return builtins.crypto.hash('sha256', text).slice(0, 32)
}
