import type { ReplayCall } from '../calls/replay-call.ts'
import type { PlannedStep, PlannedTick } from '../calls/plan.ts'
import { tolerance, VirtualTimer, type VirtualTimers } from './virtual-timers.ts'

/** A limit that a client's connection keeps. The trace does not have its firing, only the consequences. */
export class IdleTimer extends VirtualTimer {
  readonly #call: ReplayCall

  constructor(timers: VirtualTimers, owner: number, delay: number, call: ReplayCall, fire: () => void) {
    super(timers, owner, delay, false, fire)
    this.#call = call
  }

  override get isKeyed(): boolean {
    return false
  }

  override get key(): string {
    return `idle ${this.order}`
  }

  override get limited(): ReplayCall {
    return this.#call
  }

  override get neverFired(): boolean {
    const { planned } = this.#call
    if (planned?.settled === undefined || planned.settled.by === 'agent') return false
    return (planned.settled.outlasted ?? Infinity) <= this.delay || longestWait(planned) <= this.delay + tolerance
  }

  /** If the recorded run aborted the call, the trace shows what came before that. */
  override isDueBefore({ place }: Pick<PlannedTick, 'place'>, arrival: number): boolean {
    const { planned } = this.#call
    if (planned === undefined) return false
    const { settled, settledPlace = Infinity } = planned
    if (settled?.by === 'agent') return place > settledPlace && this.due < arrival + tolerance
    return super.isDueBefore({ place }, arrival)
  }
}

/** The longest wait of the recorded call for a part of its answer, in recorded time, because the replay's clock may be behind. */
function longestWait({ call, completions }: PlannedStep): number {
  let [longest, last] = [0, call.at]
  for (const { at } of completions) [longest, last] = [Math.max(longest, at - last), at]
  return longest
}
