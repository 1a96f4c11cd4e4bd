import type { CheckpointRow, CompletionRow } from '../../trace/rows.ts'
import type { Conducted } from './conducted.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { Requirement } from '../calls/plan.ts'

/** The recorded steps whose calls a replay waits for: made, not made yet, or given up on. */
export class AwaitedSteps {
  readonly #made = new Map<number, ReplayCall>()
  /** Steps that were given up on, with the number of timers armed by then. */
  readonly #aside = new Map<number, number>()
  /** Steps and checkpoints that the next tick waits for. */
  readonly #unmet = new Set<Requirement>()
  readonly #reached = new Set<CheckpointRow>()

  /** The call that was matched with a step. */
  callOf(step: number): ReplayCall | undefined {
    return this.#made.get(step)
  }

  /** When a tick delivers the answer to an open call, by the replay's clock: as long after that call as in the recording. */
  arrivalOf(rows: readonly CompletionRow[]): number | undefined {
    let first: number | undefined
    for (const row of rows) {
      const call = row.kind === 'timer' || row.kind === 'signal' ? undefined : this.#made.get(row.step)
      if (call?.state !== 'open' || call.planned === undefined) continue
      first = Math.min(first ?? Infinity, call.at + row.at - call.planned.call.at)
    }
    return first
  }

  /** Whether a call that was made since the replay was at `place` is still open. */
  hasOpenSince(place: number): boolean {
    return [...this.#made.values()].some(({ state, madeAt }) => state === 'open' && madeAt >= place)
  }

  require(required: readonly Requirement[]): void {
    for (const each of required) {
      const isMet = typeof each === 'number' ? this.#made.has(each) || this.#aside.has(each) : this.#reached.has(each)
      if (!isMet) this.#unmet.add(each)
    }
  }

  meet(step: number, call: ReplayCall): void {
    this.#made.set(step, call)
    this.#unmet.delete(step)
    this.#aside.delete(step)
  }

  reach(checkpoint: CheckpointRow): void {
    this.#reached.add(checkpoint)
    this.#unmet.delete(checkpoint)
  }

  /**
   * Whether the next tick has to wait. A call whose request body is still being sent blocks nothing, because what it waits for may come after
   * that tick.
   */
  isAnyUnmet(run: Pick<Conducted, 'isArriving'>): boolean {
    if (this.#unmet.size === 0) return false
    for (const each of this.#unmet) if (typeof each !== 'number' || !run.isArriving(each)) return true
    return false
  }

  /** What the next tick waits for, as text. */
  describeUnmet(): string {
    if (this.#unmet.size === 0) return 'nothing'
    return [...this.#unmet].map((each) => (typeof each === 'number' ? `step ${each}` : `checkpoint ${each.name}`)).join(', ')
  }

  /** Stops waiting for steps that were not made yet, or only for those before a given step. */
  setAside(timersArmed: number, before: number = Infinity): void {
    for (const each of this.#unmet) {
      if (typeof each === 'number' && each >= before) continue
      this.#unmet.delete(each)
      if (typeof each === 'number') this.#aside.set(each, timersArmed)
    }
  }

  isAside(step: number): boolean {
    return this.#aside.has(step)
  }

  /** How many timers had been armed when a step was set aside; 0 for a step that was not set aside. */
  armedBefore(step: number): number {
    return this.#aside.get(step) ?? 0
  }
}
