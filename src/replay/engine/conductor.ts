import { debug, describeRow } from './conductor-log.ts'
import type { NextTurn } from '../../run/agent-turns.ts'
import { runOutside } from '../../run/scope.ts'
import type { CheckpointRow, CompletionRow, TimerRow } from '../../trace/rows.ts'
import { AwaitedSteps } from './awaited-steps.ts'
import type { Conducted } from './conducted.ts'
import { EventTimes } from './event-times.ts'
import { LateCompletions } from './late-completions.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { TimeLimits } from '../judge/time-limits.ts'
import type { WorkStart } from './own-work.ts'
import { NewTimers } from './new-timers.ts'
import { Patience } from './patience.ts'
import { giveRow, hasRecipient, reachesAgent } from './recipients.ts'
import { ScheduledAnswers } from './scheduled-answers.ts'
import type { Plan, PlannedStep, PlannedTick } from '../calls/plan.ts'
import { TurnOrder } from './turn-order.ts'
import { Turns } from './turns.ts'
import { VirtualClock } from './virtual-clock.ts'
import type { VirtualTimer, VirtualTimers } from './virtual-timers.ts'

/**
 * Releases recorded completions in the recorded order: those of one tick together, then one real turn of the event loop, in which the agent's microtasks
 * run and make the next calls. A tick waits until every call before it was made. Once the run is quiescent, calls that were not made are set aside.
 */
export class Conductor {
  readonly newTimers: NewTimers
  readonly answers: ScheduledAnswers
  readonly #plan: Plan
  readonly #run: Conducted
  readonly #timers: VirtualTimers
  readonly #steps = new AwaitedSteps()
  readonly #patience: Patience
  readonly #order: TurnOrder
  readonly #late = new LateCompletions()
  readonly #clock: VirtualClock
  readonly #times: EventTimes
  #next = 0
  readonly #turns = new Turns(() => this.#lookAround())

  constructor(plan: Plan, timers: VirtualTimers, limits: TimeLimits, run: Conducted) {
    this.#plan = plan
    this.#clock = new VirtualClock(plan.startsAt)
    this.#times = new EventTimes(this.#clock, this.#steps, timers)
    this.#run = run
    this.#timers = timers
    this.newTimers = new NewTimers(plan, timers, this.#steps, limits)
    this.answers = new ScheduledAnswers(this.#clock, this.newTimers)
    this.#patience = new Patience(plan.steps.size + plan.ticks.length)
    this.#order = new TurnOrder(run.turns, this.#patience, () => run.activity())
    this.#require(plan.ticks[0])
  }

  /** The last tick released, with its place and turn in the recording. */
  get last(): PlannedTick {
    return this.#order.last
  }

  /** Virtual milliseconds since the run started. */
  get now(): number {
    return this.#clock.now
  }

  /** How much later it is than when the last recorded event came about in the recording. */
  readonly shift = (): number => this.#clock.shift
  readonly isOver = (): boolean => this.#turns.isOver

  /** Whether the run's own work was in progress when something was released, and whether there has been any since. */
  readonly hasRacedOwnWork = (): boolean => this.#run.racedOwnWork
  readonly hasRunWorked = (): boolean => this.#run.activity() === 'working' || this.#run.hasWorked()
  readonly behindWork = (): WorkStart | undefined => this.#run.behindWork()

  /** Whether everything in the plan was made and released, or given up on. */
  get isThrough(): boolean {
    return this.#nextTick === undefined && !this.#steps.isAnyUnmet(this.#run)
  }

  get #nextTick(): PlannedTick | undefined {
    return this.#plan.ticks[this.#next]
  }

  readonly #nextPlace = (): number => this.#nextTick?.place ?? Infinity

  /** Whether a step's call comes before the next completion to release, or was set aside. */
  isDue(step: PlannedStep): boolean {
    return this.isAside(step) || step.place < this.#nextPlace()
  }

  readonly isAside = (step: PlannedStep): boolean => this.#steps.isAside(step.call.step)

  /** Whether the timer of a recorded firing is running in this replay. */
  readonly isWaitingFor = (row: TimerRow): boolean => this.#timers.find(row) !== undefined

  /** Whether a recorded step has settled in this replay, or would have: the replay has passed its completions. */
  isPassed(step: PlannedStep): boolean {
    return step.settledPlace !== undefined && step.settledPlace < this.#nextPlace()
  }

  /** A call was matched with a recorded step, so its completions are released when due. */
  meet(step: PlannedStep, call: ReplayCall): void {
    this.newTimers.meet(step)
    this.#steps.meet(step.call.step, call)
    this.#late.bring(step.call.step)
    this.#patience.getOn()
  }

  /** A recorded checkpoint was reached. */
  reach(checkpoint: CheckpointRow): void {
    this.#steps.reach(checkpoint)
    this.wake()
  }

  /** The run gets an answer that the trace does not have, which arrives at this moment. */
  readonly takeUntil = (moment: number): void => this.#clock.wait(moment, !this.#steps.hasOpenSince(0))

  /** Stops following the recording: open calls get the rest of their recorded answers when due. */
  leavePlan(): void {
    this.answers.addRest(this.#plan.ticks.slice(this.#next), (step) => this.#steps.callOf(step))
    this.#next = this.#plan.ticks.length
    this.#steps.setAside(this.#timers.armed)
    this.newTimers.forgetRecorded()
  }

  /** Something happened in the run: checks it in the next turn of the event loop. */
  wake(): void {
    this.#patience.stir()
    this.#turns.hurry()
  }

  /** The run gets something that the trace does not have. It may continue by itself, but not endlessly. */
  goRound(): void {
    this.#patience.goRound()
    this.#turns.ask()
  }

  readonly #mayRelease = (): boolean => !this.#run.stopped && !this.#run.opening.isHeld

  #lookAround(): void {
    if (this.#run.settleCalls()) this.#patience.stir()
    if (this.#isToEnd()) return this.#finish()
    const hasReleased = this.#mayRelease() && (this.#releaseNext() || (this.isThrough && this.answers.releaseDue()))
    if (hasReleased) this.#patience.stir()
    else if (this.#isDone()) return this.#finish()
    else if (this.#patience.waitsFor(this.#run.activity())) this.#patience.work()
    else if (this.#patience.idle() && !this.#unblock()) return this.#finish()
    this.#turns.askAgain(hasReleased ? undefined : this.answers.wait)
  }

  /** Whether the replay has to end, whatever the agent does. */
  #isToEnd(): boolean {
    return this.#run.exhausted || this.#patience.isInCircles || (this.#run.stopped && !this.#patience.mayStillEnd())
  }

  /** Whether the agent has ended and everything that reached it in the recording has been released. */
  #isDone(): boolean {
    if (!this.#run.finished || this.#run.stopped) return this.#run.finished
    if (this.#next < this.#plan.ticks.length || !this.#patience.isIdle || this.#run.settleEarlyCalls()) return false
    return this.newTimers.firstLate(this.#plan.until) === undefined
  }

  #finish(): void {
    this.#run.passEnd()
    this.#turns.end()
    this.#run.over()
  }

  #releaseNext(): boolean {
    const late = this.#late.next()
    if (late !== undefined) {
      this.newTimers.releaseLate(late)
      this.#times.pass(late)
      this.#run.releases(late, 'late')
      for (const row of late) this.#release(row)
      return true
    }
    const tick = this.#readyTick()
    if (tick === undefined || this.#limitBefore(tick) !== undefined || this.#order.waits(tick)) return false
    this.#releaseTick(tick)
    return true
  }

  /** A turn that the agent has asked for comes. Releases what came before it in the recording. At the end, no turn comes that was not recorded. */
  nextTurn(): NextTurn {
    if (this.#nextTick === undefined) return this.#run.finished && this.#order.isPast(this.#plan.turnsBeforeClosed) ? 'never' : 'comes'
    if (!this.#order.isPast(this.#nextTick.turns) || !this.#mayRelease()) return 'comes'
    return runOutside(() => {
      this.#run.settleCalls()
      if (!this.#releaseNext()) return 'comes'
      this.wake()
      return 'waits'
    })
  }

  /** The next tick, once every call before it was made, it has a recipient and, if it came after the recorded run's end, the run has ended. */
  #readyTick(): PlannedTick | undefined {
    const tick = this.#nextTick
    if (tick === undefined || this.#steps.isAnyUnmet(this.#run)) return undefined
    if (tick.place > this.#plan.endPlace && !this.#run.finished) return undefined
    return tick.rows.every((row) => hasRecipient(row, this.#steps, this.#timers)) ? tick : undefined
  }

  #releaseTick(tick: PlannedTick): void {
    if (tick.place > this.#plan.endPlace) this.#run.passEnd()
    this.#run.releases(tick.rows, 'in place')
    this.#next += 1
    this.#patience.getOn()
    this.newTimers.release()
    this.#order.release(tick)
    this.#require(this.#nextTick)
    debug?.(() => `tick ${tick.ordinal} is released: ${tick.rows.map(describeRow).join(', ')}`)
    for (const row of tick.rows) {
      this.#clock.reach(row.at, this.#times.momentOf(row))
      this.#release(row)
    }
  }

  readonly #require = (tick: PlannedTick | undefined): void => this.#steps.require(tick?.requires ?? this.#plan.requiredAtEnd)

  #release(row: CompletionRow): void {
    if (row.kind === 'signal') return this.#run.signal(row.name, row.value)
    if (row.kind === 'timer') return this.#fire(row)
    const call = this.#steps.callOf(row.step)
    if (call !== undefined) return giveRow(call.delivery, row)
    this.#late.keep(row.step, row)
  }

  #fire(row: TimerRow): void {
    const timer = this.#timers.find(row)
    this.newTimers.pass(row, timer)
    timer?.fire()
  }

  /**
   * The run is quiescent, so it is waiting for something. Releases whatever comes first on its clock: a timer that the trace does not have, or
   * the next completion of a call that was made, skipping what comes before it. Stops waiting for the end of request bodies that may be
   * answered early.
   *
   * @returns Whether anything was released.
   */
  #unblock(): boolean {
    if (this.#run.stopped) return this.newTimers.passRefusalOn(this.#clock, this.#patience)
    if (this.isThrough && this.answers.isUsed) {
      this.#patience.goRound()
      this.answers.pass()
      return true
    }
    if (this.#run.opening.pass()) return true
    const isLate = this.#run.finished
    const limit = this.#limitBefore(this.#readyTick())
    const timer = isLate ? this.newTimers.firstLate(this.#plan.until) : (limit ?? this.newTimers.first())
    const isPause = timer !== undefined && timer !== limit && !isLate && this.newTimers.isPause(timer)
    if (!isPause && this.#run.settleEarlyCalls()) return true
    const { ticks } = this.#plan
    const isReached = (row: CompletionRow): boolean => reachesAgent(row, this.#steps, this.#timers, timer === undefined)
    const found = ticks.findIndex(({ rows }, at) => at >= this.#next && rows.some(isReached))
    const index = found === -1 ? ticks.length : found
    const tick = ticks[index]
    if (timer !== undefined && (timer.due < this.#times.reached(tick) || isPause)) {
      this.#fireNew(timer, tick, isPause)
      return true
    }
    if (this.#run.cutBodies()) return true
    debug?.(() => `tick ${this.#next + 1} is no longer waited for; left out: ${this.#steps.describeUnmet()}`)
    if (tick === undefined && !this.#run.finished && this.#patience.mayStillMove()) return true
    this.#leaveBehind(index)
    this.#steps.setAside(this.#timers.armed)
    if (tick !== undefined) this.#releaseTick(tick)
    return tick !== undefined
  }

  /** @param next The tick that would be released next, which bounds the time. */
  #fireNew(timer: VirtualTimer, next: PlannedTick | undefined, isPause: boolean): void {
    if (isPause || next === undefined) this.#patience.goRound()
    if (this.#run.finished) this.#run.passEnd()
    this.#clock.wait(timer.due, isPause)
    debug?.(() => `a timer of ${timer.delay} ms fires that the trace does not have${isPause ? ': a pause' : ''}`)
    this.newTimers.fire(timer, isPause)
    timer.fire()
  }

  /** A timer that is not in the trace and fires before a tick that could be released. */
  #limitBefore(tick: PlannedTick | undefined): VirtualTimer | undefined {
    return tick === undefined || this.#run.finished ? undefined : this.newTimers.firstBefore(tick)
  }

  /** Passes every tick before `index`. Keeps the completions of steps that were not made until they are. */
  #leaveBehind(index: number): void {
    for (const tick of this.#plan.ticks.slice(this.#next, index)) {
      this.#steps.setAside(this.#timers.armed)
      this.#releaseTick(tick)
    }
  }

  /** Stops waiting for unmade steps before a step. */
  leaveOutBefore(step: PlannedStep): void {
    const index = this.#plan.ticks.findIndex(({ place }, at) => at >= this.#next && place >= step.place)
    this.#leaveBehind(index === -1 ? this.#plan.ticks.length : index)
    this.#steps.setAside(this.#timers.armed, step.call.step)
  }
}
