import { realTimers } from '../boundaries/timer/real-timers.ts'
import { runOutside } from '../run/scope.ts'
import type { CompletionRow, TimerRow } from '../trace/rows.ts'
import type { Conducted } from './conducted.ts'
import { LateCompletions } from './late-completions.ts'
import type { LiveCall } from './live-call.ts'
import type { Plan, PlannedStep, PlannedTick } from './plan.ts'
import { areOfSeveral } from './tick-sources.ts'
import { keyOf, type VirtualTimer, type VirtualTimers } from './virtual-timers.ts'

/** Turns of the event loop without anything happening, after which a run that is not busy counts as quiescent. */
const idleTurns = 2

/** For how long a run that waits for nothing that is known is looked at before it counts as stuck, in milliseconds. */
const patience = 300

/**
 * Releases what reached the recorded run in the order in which it did: the completions of one tick at once, then one real turn of the event
 * loop, in which the agent's microtasks run and make the next calls. A tick waits until every call before it was made; once the run is
 * quiescent, what it waits for in vain is set aside.
 */
export class Conductor {
  readonly #plan: Plan
  readonly #run: Conducted
  readonly #timers: VirtualTimers
  readonly #made = new Map<number, LiveCall>()
  /** Steps that were waited for in vain, with how many timers had been armed by then. */
  readonly #aside = new Map<number, number>()
  /** Steps that the next tick waits for. */
  readonly #unmet = new Set<number>()
  readonly #recordedTimers = new Set<string>()
  readonly #late = new LateCompletions()
  #next = 0
  #idle = 0
  #stuckSince: number | undefined
  #scheduled = false
  #over = false
  #tick = 0
  #now = 0
  #place = 0
  #turn = 0
  #releasedSeveral = false
  /** The number of the timer whose firing was the last that the run saw; 0 when it saw something else since. */
  #fired = 0

  constructor(plan: Plan, timers: VirtualTimers, run: Conducted) {
    this.#plan = plan
    this.#run = run
    this.#timers = timers
    for (const { rows } of plan.ticks) for (const row of rows) if (row.kind === 'timer') this.#recordedTimers.add(keyOf(row))
    this.#require(plan.ticks[0])
  }

  /** The ordinal of the last tick released. */
  get tick(): number {
    return this.#tick
  }

  /** Virtual milliseconds since the run started. */
  get now(): number {
    return this.#now
  }

  /** The place in the trace of the last completion released. */
  get place(): number {
    return this.#place
  }

  /** The recorded turn of the event loop that the last completion released came about in. */
  get turn(): number {
    return this.#turn
  }

  /** Whether the last completions released were of several calls or timers at once. */
  get releasedSeveral(): boolean {
    return this.#releasedSeveral
  }

  /** Whether a step's call stands before the next completion to be released, or was set aside. */
  isDue(step: PlannedStep): boolean {
    return this.#aside.has(step.call.step) || step.place < (this.#plan.ticks[this.#next]?.place ?? Infinity)
  }

  isAside(step: PlannedStep): boolean {
    return this.#aside.has(step.call.step)
  }

  /** Whether a step that was set aside comes after a timer that ran already then: it waited for its time, and for nothing that was let through. */
  isDelayed(step: PlannedStep): boolean {
    return this.#fired > 0 && this.#fired <= (this.#aside.get(step.call.step) ?? 0)
  }

  /** Whether the timer of a recorded firing is running in this replay. */
  isWaitingFor(row: TimerRow): boolean {
    return this.#timers.find(row) !== undefined
  }

  /** Whether a recorded step has settled in this replay, or would have: its completions have been passed. */
  isPassed(step: PlannedStep): boolean {
    return step.settledPlace !== undefined && step.settledPlace < (this.#plan.ticks[this.#next]?.place ?? Infinity)
  }

  /** A call turned out to be a recorded step: its completions come as they are due. */
  meet(step: PlannedStep, call: LiveCall): void {
    const number = step.call.step
    this.#made.set(number, call)
    this.#unmet.delete(number)
    this.#aside.delete(number)
    this.#late.bring(number)
  }

  /** Something happened in the run: look at it in the next turn of the event loop. */
  wake(): void {
    this.#idle = 0
    this.#stuckSince = undefined
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled || this.#over) return
    this.#scheduled = true
    // Created outside the run, or it would wait for itself.
    runOutside(() => realTimers.setImmediate(() => this.#lookAround()))
  }

  #lookAround(): void {
    this.#scheduled = false
    if (this.#over) return
    if (this.#run.settleCalls()) this.#idle = 0
    if (this.#run.exhausted) return this.#finish()
    if (!this.#run.stopped && this.#releaseNext()) {
      this.#idle = 0
    } else if (this.#isDone()) {
      return this.#finish()
    } else if (this.#run.isBusy()) {
      this.#idle = 0
    } else {
      this.#idle += 1
      if (this.#idle > idleTurns && !this.#unblock()) return this.#finish()
    }
    this.#schedule()
  }

  /** Whether the agent is through and all that reached it in the recording has been released. */
  #isDone(): boolean {
    return this.#run.finished && (this.#run.stopped || (this.#next >= this.#plan.ticks.length && this.#idle >= 1))
  }

  #finish(): void {
    this.#over = true
    this.#run.over()
  }

  #releaseNext(): boolean {
    const late = this.#late.next()
    if (late !== undefined) {
      this.#fired = 0
      for (const row of late) this.#release(row)
      return true
    }
    const tick = this.#plan.ticks[this.#next]
    if (tick === undefined || this.#unmet.size > 0 || tick.rows.some((row) => !this.#isDeliverable(row))) return false
    this.#releaseTick(tick)
    return true
  }

  #releaseTick(tick: PlannedTick): void {
    this.#run.releases()
    this.#next += 1
    this.#fired = 0
    this.#tick = tick.ordinal
    this.#place = tick.place
    this.#turn = tick.turn
    this.#releasedSeveral = areOfSeveral(tick.rows)
    this.#require(this.#plan.ticks[this.#next])
    for (const row of tick.rows) {
      this.#now = Math.max(this.#now, row.at)
      this.#release(row)
    }
  }

  #require(tick: PlannedTick | undefined): void {
    for (const step of tick?.requires ?? this.#plan.requiredAtEnd) {
      if (!this.#made.has(step) && !this.#aside.has(step)) this.#unmet.add(step)
    }
  }

  #isDeliverable(row: CompletionRow): boolean {
    if (row.kind === 'signal') return true
    return row.kind === 'timer' ? this.#timers.find(row) !== undefined : this.#made.has(row.step)
  }

  #release(row: CompletionRow): void {
    if (row.kind === 'signal') return this.#run.signal(row.name, row.value)
    if (row.kind === 'timer') return this.#fire(row)
    const call = this.#made.get(row.step)
    if (call !== undefined) return call.delivery.row(row)
    this.#late.keep(row.step, row)
  }

  #fire(row: TimerRow): void {
    const timer = this.#timers.find(row)
    this.#recordedTimers.delete(keyOf(row))
    if (timer === undefined) return
    this.#fired = timer.order
    timer.fire()
  }

  /**
   * The run is quiescent: it waits for something. Whatever comes first on its clock is let through: a timer that the trace does not have, or
   * the next completion of a call that was made, leaving behind what stands before it.
   *
   * @returns Whether anything was.
   */
  #unblock(): boolean {
    if (this.#run.stopped) return false
    const isNew = (timer: VirtualTimer): boolean => !this.#recordedTimers.has(timer.key)
    const timer = this.#run.finished
      ? undefined
      : (this.#timers.earliest((each) => isNew(each) && this.#isPause(each)) ?? this.#timers.earliest(isNew))
    if ((timer === undefined || !this.#isPause(timer)) && this.#run.settleEarlyCalls()) return true
    const index = this.#nextReaching(timer === undefined)
    const tick = this.#plan.ticks[index]
    if (timer !== undefined && (tick === undefined || this.#isPause(timer) || timer.due <= (tick.rows[0]?.at ?? 0))) {
      this.#now = Math.max(this.#now, timer.due)
      this.#fired = timer.order
      timer.fire()
      return true
    }
    if (tick === undefined) {
      if (!this.#run.finished && this.#mayStillMove()) return true
      this.#leaveBehind(this.#plan.ticks.length)
      this.#setAsideUnmet()
      return false
    }
    this.#leaveBehind(index)
    this.#setAsideUnmet()
    this.#releaseTick(tick)
    return true
  }

  /** Nothing is left to let through. Not all that a run waits for shows: it gets a moment of real time before it counts as stuck. */
  #mayStillMove(): boolean {
    this.#stuckSince ??= realTimers.now()
    return realTimers.now() - this.#stuckSince < patience
  }

  /**
   * Whether the agent only waits for a timer that the trace does not have: no call that was made since it was set is open, so that it is no
   * time limit on one, and no recorded timer was set since. It fires before anything else, and what was recorded stands still meanwhile: a sleep
   * that was added shifts nothing.
   */
  #isPause(timer: VirtualTimer): boolean {
    if (timer.repeats || this.#timers.some(({ repeats, order, key }) => !repeats && order > timer.order && this.#recordedTimers.has(key)))
      return false
    return ![...this.#made.values()].some(({ state, madeAt }) => state === 'open' && madeAt >= timer.place)
  }

  /** The index of the next tick that has something for the agent. */
  #nextReaching(countsIntervals: boolean): number {
    let index = this.#next
    while (index < this.#plan.ticks.length && !this.#plan.ticks[index]?.rows.some((row) => this.#reachesRun(row, countsIntervals)))
      index += 1
    return index
  }

  /** Whether releasing a row would reach the agent. An interval ticks by the way; nobody waits for it who has another timer. */
  #reachesRun(row: CompletionRow, countsIntervals: boolean): boolean {
    if (row.kind === 'signal') return true
    if (row.kind === 'timer') return this.#timers.find(row)?.repeats === false || (countsIntervals && this.isWaitingFor(row))
    return this.#made.get(row.step)?.state === 'open'
  }

  /** Passes every tick before `index`: what it has for steps that were not made is kept until they are. */
  #leaveBehind(index: number): void {
    for (; this.#next < index;) {
      this.#setAsideUnmet()
      const tick = this.#plan.ticks[this.#next]
      if (tick === undefined) break
      this.#releaseTick(tick)
    }
  }

  /** What stands before a step and was not made is not waited for any longer. */
  leaveOutBefore(step: PlannedStep): void {
    let index = this.#next
    while ((this.#plan.ticks[index]?.place ?? Infinity) < step.place) index += 1
    this.#leaveBehind(index)
    for (const number of this.#unmet) {
      if (number >= step.call.step) continue
      this.#unmet.delete(number)
      this.#aside.set(number, this.#timers.armed)
    }
  }

  #setAsideUnmet(): void {
    for (const number of this.#unmet) this.#aside.set(number, this.#timers.armed)
    this.#unmet.clear()
  }
}
