import type { CompletionRow, TimerRow } from '../../trace/rows.ts'
import type { AwaitedSteps } from './awaited-steps.ts'
import type { Patience } from './patience.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Plan, PlannedStep, PlannedTick } from '../calls/plan.ts'
import type { TimeLimits } from '../judge/time-limits.ts'
import { comesBefore, keyOf, type TimerChain, tolerance, type VirtualTimer, type VirtualTimers } from './virtual-timers.ts'

/**
 * How many timers may fire before the next recorded tick is released. Without this limit, an agent that polls for an answer would poll until
 * it arrives.
 */
const mostBeforeATick = 1000

/** The timers of a replay that the trace does not have: added sleeps, and timers that had not fired when the recording ended. */
export class NewTimers {
  readonly #limits: TimeLimits
  readonly #timers: VirtualTimers
  readonly #steps: AwaitedSteps
  /** The keys of the recorded firings that are still to come. */
  readonly #recorded = new Set<string>()
  /** The keys of timers that were due in the recording too, but did not fire: before the run ended, and before the watch of it ended. */
  readonly #overdue: ReadonlySet<string>
  readonly #overdueLate: ReadonlySet<string>
  /** How many have fired since the last tick was released. */
  #firedSince = 0
  #chain: TimerChain | undefined
  /** The chains of calls that came late because of a timer, by step. */
  readonly #delayed = new Map<number, TimerChain>()

  constructor(plan: Plan, timers: VirtualTimers, steps: AwaitedSteps, limits: TimeLimits) {
    this.#timers = timers
    this.#steps = steps
    this.#overdue = new Set(plan.end?.overdue?.map(keyOf))
    // Earlier recorders noted only the timers that were overdue at the end of the run.
    this.#overdueLate = plan.closed?.by === undefined ? this.#overdue : new Set(plan.closed.overdue?.map(keyOf))
    this.#limits = limits
    for (const { rows } of plan.ticks) for (const row of rows) if (row.kind === 'timer') this.#recorded.add(keyOf(row))
  }

  /** Passes a recorded firing, whether of a pending timer or not. */
  pass(row: TimerRow, timer: VirtualTimer | undefined): void {
    this.#recorded.delete(keyOf(row))
    this.#chain = timer?.chain
  }

  /** The chain that the run continues, if nothing else has reached it since. */
  get chain(): TimerChain | undefined {
    return this.#chain
  }

  /** The recording is no longer followed, so all timers are new. */
  forgetRecorded(): void {
    this.#recorded.clear()
  }

  /** The timer to fire first: pauses first, then by time. */
  first(): VirtualTimer | undefined {
    return this.#timers.earliest((timer) => this.#isNew(timer) && this.isPause(timer)) ?? this.soonest()
  }

  /** The timer that is due first. */
  soonest(): VirtualTimer | undefined {
    return this.#timers.earliest((timer) => this.#isNew(timer))
  }

  /** The first timer due by then that outlived the run. A timer that was overdue when the recorder stopped watching did not fire there. */
  firstLate(until: number): VirtualTimer | undefined {
    return this.#timers.earliest((timer) => timer.due <= until && this.#isNew(timer) && !this.#overdueLate.has(timer.key))
  }

  /**
   * Whether the agent is only waiting for a timer that the trace does not have: no call made since it was set is open, so it is not a time
   * limit, no recorded timer was set since, and none was set together with it that is due earlier. Such a timer fires first, and recorded
   * time stands still meanwhile, so an added sleep shifts nothing. If a timer that is due earlier is not such a pause, time passes for both.
   */
  isPause(timer: VirtualTimer): boolean {
    if (timer.repeats || timer.limited !== undefined) return false
    if (this.#steps.hasOpenSince(timer.place) || this.#isAnyUnknownSince(timer)) return false
    return !this.#timers.some((other) => {
      if (other.repeats || other === timer) return false
      if (other.set === timer.set && comesBefore(other, timer)) return true
      return this.#isNew(other) ? other.due < timer.due && this.#steps.hasOpenSince(other.place) : other.order > timer.order
    })
  }

  /** Whether a later call is open that is not a recorded step, or not yet known to be one. */
  #isAnyUnknownSince({ callsBefore }: VirtualTimer): boolean {
    return this.#timers.openCalls.some(({ planned, number }) => planned === undefined && number > callsBefore)
  }

  /** The timer that is due first, if it is due before the answer that comes with a tick, or before the timer that fires with it. */
  firstBefore(tick: PlannedTick): VirtualTimer | undefined {
    const answered = this.#steps.arrivalOf(tick.rows)
    const arrival = answered ?? this.#timers.dueOf(tick.rows) ?? -Infinity
    if (this.#firedSince >= mostBeforeATick || !this.#timers.isAnyDueBefore(arrival + tolerance)) return undefined
    const isKnown = (timer: VirtualTimer): boolean => answered !== undefined || timer.behindWork === undefined
    return this.#timers.earliest(
      (timer) => timer.isDueBefore(tick, arrival) && this.#isNew(timer) && isKnown(timer) && !this.#overdue.has(timer.key),
    )
  }

  /** A timer fires. A pause is not a limit: recorded time stands still meanwhile. */
  fire(timer: VirtualTimer, isPause: boolean): void {
    this.#chain = timer.chain
    this.#firedSince += 1
    if (!this.#timers.isLate) this.#limits.fire(timer, isPause)
  }

  /**
   * Fires the first timer of a stopped replay while a refusal is followed back to the agent: a client that tries again waits before each attempt, and
   * then passes the refusal on to the line that awaits it.
   *
   * @returns Whether a timer fired.
   */
  passRefusalOn(clock: VirtualClock, patience: Patience): boolean {
    const timer = this.#limits.lines.isSeeking ? this.#timers.earliest(({ repeats }) => !repeats) : undefined
    if (timer === undefined || !patience.letsPassOn()) return false
    clock.wait(timer.due, true)
    timer.fire()
    return true
  }

  /** Something else reaches the run. */
  leave(): void {
    this.#chain = undefined
    this.#limits.pass()
  }

  /** A tick of the recording is released. */
  release(): void {
    this.#firedSince = 0
    this.leave()
  }

  /** Completions of steps that were set aside are released. If a timer delayed their calls, it delays what follows. */
  releaseLate(rows: readonly CompletionRow[]): void {
    this.leave()
    for (const row of rows) if ('step' in row) this.#chain ??= this.#delayed.get(row.step)
  }

  /**
   * Whether a step that was set aside comes after a timer that was already running then. If so, it waited for time, not for something that was
   * released. The calls between the timer and the step have to have preceded it in the recording, too.
   */
  isDelayed({ call, place }: PlannedStep): boolean {
    if (this.#chain === undefined) return false
    return this.#chain.first <= this.#steps.armedBefore(call.step) && this.#chain.settledPlace < place
  }

  /** A call was matched with a step, which may have been set aside. */
  meet(step: PlannedStep): void {
    if (this.#chain === undefined || !this.isDelayed(step)) return
    this.#delayed.set(step.call.step, { first: this.#chain.first, settledPlace: step.settledPlace ?? Infinity })
  }

  /**
   * Whether a step that was set aside may still come, because a timer that was already running then, and that the trace does not have, is
   * still running, or one that follows from it.
   */
  mayStillCome({ call }: PlannedStep): boolean {
    const armed = this.#steps.armedBefore(call.step)
    return this.#timers.some((timer) => !timer.repeats && timer.chain.first <= armed && this.#isNew(timer))
  }

  #isNew({ key, neverFired }: VirtualTimer): boolean {
    return !this.#recorded.has(key) && !neverFired
  }
}
