import { AgentTurns } from '../../run/agent-turns.ts'
import { noRules } from '../../divergence/path-rules.ts'
import { standInsOf } from '../../redaction/trace-stand-ins.ts'
import { StandInRenaming } from '../../divergence/stand-ins.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import { toError } from '../../trace/recorded-error.ts'
import type { CallRow, CheckpointRow, CompletionRow, NoteRow, Row, TimerRow } from '../../trace/rows.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import type { Activity } from '../engine/conducted.ts'
import { isCompletion, isOwnDoing, isSettling } from '../calls/completions.ts'
import { type Plan, createPlan } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import { ReplayRedaction } from '../calls/replay-redaction.ts'
import { RecordedInput } from '../calls/replayed-input.ts'
import { toSettings } from '../contract/replay-options.ts'
import { VirtualTimer } from '../engine/virtual-timers.ts'
import { type HeldRun, ReplayParts } from '../judge/replay-parts.ts'
import { compareAnswers } from './compare-answers.ts'
import { ComparedDelivery } from './compared-delivery.ts'
import { type Bodies, createBodies } from './bodies.ts'
import { EqualSteps } from './equal-steps.ts'
import { drawsOfBoth } from './drawn-by.ts'
import { firingsOf } from './firings.ts'
import { type StepPair, pairSteps } from './pair-steps.ts'

/** The result of comparing two runs. */
export interface Compared {
  readonly divergences: readonly Divergence[]
  /** In the order of `a`. Steps that only `b` has are placed where they were made. */
  readonly pairs: readonly StepPair[]
}

/** A call of `b`, and its progress. */
interface ComparedCall {
  readonly call: ReplayCall
  readonly delivery: ComparedDelivery
  /** How many of its completions `b` has seen. */
  seen: number
}

/**
 * Run `b`, replayed against run `a`. It makes each of its calls as soon as it has seen everything that it had seen before that call when
 * recorded. Judge, call order and findings are those of a replay, so the verdict is, too. No agent code runs.
 */
export class ComparedRun implements HeldRun {
  // Nothing is in progress in a run that is over.
  readonly exhausted = false
  readonly racedOwnWork = false
  readonly opening = { isHeld: false, pass: (): boolean => false }
  readonly turns: AgentTurns = new AgentTurns()
  readonly hasWorked = (): boolean => false
  readonly behindWork = (): undefined => undefined
  readonly activity = (): Activity => 'none'
  readonly isArriving = (): boolean => false
  readonly cutBodies = (): boolean => false
  readonly busy = (): (() => void) => () => undefined
  readonly releases = (): void => undefined
  readonly passEnd = (): void => undefined
  finished = false
  readonly #b: Trace
  readonly #plan: Plan
  readonly #stepsOfA: ReadonlyMap<number, Step>
  readonly #stepsOfB: ReadonlyMap<number, Step>
  readonly #parts: ReplayParts
  readonly #made = new Map<number, ComparedCall>()
  readonly #rows = new Map<ReplayCall, CallRow>()
  readonly #bodies: Bodies
  readonly #contactsOfA: ReadonlySet<string>
  /** By the tick in which they were set. */
  readonly #timersOfB: ReadonlyMap<number, readonly TimerRow[]>
  readonly #firings: ReadonlyMap<TimerRow, readonly TimerRow[]>
  readonly #waiting: VirtualTimer[] = []
  readonly #fired = new Set<TimerRow>()
  readonly #armed = new Set<TimerRow>()
  readonly #over = Promise.withResolvers<void>()
  /** The calls that `b` has seen settle. */
  readonly #settled: ReplayCall[] = []
  #signals = 0
  #next = 1
  #tick = 0

  constructor(a: Trace, b: Trace) {
    const bodies = createBodies(a, b)
    const sides = { recorded: standInsOf(a), live: standInsOf(b) }
    this.#b = b
    this.#bodies = bodies
    this.#contactsOfA = new Set(a.rows.flatMap((row) => (row.kind === 'note' ? [contactOf(row)] : [])))
    this.#stepsOfA = byNumber(a)
    this.#stepsOfB = byNumber(b)
    const timers = b.rows.filter((row) => row.kind === 'timer')
    this.#timersOfB = Map.groupBy(timers, ({ set }) => set)
    this.#firings = firingsOf(b)
    this.#plan = createPlan(a, bodies.isAmbient, bodies.runs)
    // A replay was already aligned when it was made, a fork only up to its step.
    const isAligned = b.header.replay !== undefined && b.header.forkedFrom === undefined
    const equal = isAligned ? undefined : new EqualSteps(this.#plan, b, sides)
    // As in a replay, everything after a stop is ignored.
    const settings = toSettings('compareRuns', {}, b.header.replay !== undefined && b.end === undefined ? 'stop' : 'continue')
    this.#parts = new ReplayParts(this, {
      recorded: a.steps,
      plan: this.#plan,
      settings,
      // Each trace numbers the same values differently.
      redaction: new ReplayRedaction(a, undefined, new StandInRenaming(sides)),
      drawsOf: () => drawsOfBoth(a, b),
      isReplayed: b.header.replay !== undefined,
      hasLimits: false,
      refusalLimit: Infinity,
      changeable: (call, steps) => {
        const row = this.#rows.get(call)
        return row === undefined ? steps : (equal?.changeable(row, steps) ?? steps)
      },
    })
  }

  /** Walks through both runs. */
  async compare(): Promise<Compared> {
    this.#parts.conductor.wake()
    await this.#over.promise
    // Calls that still wait for something that `a` does not have are made without it.
    while (!this.finished || this.#parts.judge.isOpen) {
      this.#advance(true)
      while (this.#parts.judge.decide() || this.#parts.judge.decideEarly());
    }
    return { divergences: this.#finish(), pairs: pairSteps(this.#plan, this.#made, this.#stepsOfA, this.#stepsOfB) }
  }

  /** If a run breaks off, nothing is known about the rest. */
  get stopped(): boolean {
    return this.#parts.findings.stop !== undefined || (this.finished && this.#b.end === undefined && !this.#parts.judge.isOpen)
  }

  settleCalls(): boolean {
    const advanced = this.#advance(false)
    return this.#parts.judge.decide() || advanced
  }

  settleEarlyCalls(): boolean {
    return this.#parts.judge.decideEarly()
  }

  seenTicks(): number {
    return this.#tick
  }

  signal(): void {
    this.#signals += 1
  }

  over(): void {
    this.#over.resolve()
  }

  /** Does what `b` did up to the first completion that it has not seen yet. Returns whether there was anything. */
  #advance(isForced: boolean): boolean {
    const start = this.#next
    for (; this.#next < this.#b.rows.length; this.#next += 1) {
      const row = this.#b.rows[this.#next]
      if (row === undefined) break
      if (!isCompletion(row)) {
        this.#armTimers()
        this.#do(row)
        continue
      }
      if (row.sameTick !== true) this.#armTimers()
      if (!this.#hasSeen(row) && !isForced) return this.#next > start
      isForced = false
      if (row.sameTick !== true) this.#tick += 1
      this.#see(row)
    }
    this.#armTimers()
    this.finished = true
    return this.#next > start
  }

  #do(row: Row): void {
    if (row.kind === 'call') this.#call(row)
    if (row.kind === 'checkpoint' && row.by === undefined) this.#checkpoint(row)
    if (row.kind === 'note' && row.what === 'unrecorded-contact' && !this.#contactsOfA.has(contactOf(row))) {
      const [door = '', ...host] = contactOf(row).split(' ')
      this.#parts.findings.contact({ door, host: host.join(' ') })
    }
  }

  #call(row: CallRow): void {
    if (this.#bodies.isAmbient(row) || !this.#isIn(row.owner)) return
    const delivery = new ComparedDelivery()
    const { boundary, name, effect, idempotencyKey } = row
    const owner = this.#numberOf(row.owner)
    const input = new RecordedInput(row, noRules, standInsOf(this.#b))
    const start = { owner, boundary, name, effect, idempotencyKey, delivery, runs: this.#bodies.runs(row), input, isLate: false }
    const call = this.#parts.calls.add(start, () => this.#parts.conductor.wake())
    // The call site is not needed: it belongs to another process.
    call.trail = noTrail
    this.#rows.set(call, row)
    this.#made.set(row.step, { call, delivery, seen: 0 })
    this.#parts.judge.hear(call)
  }

  #checkpoint({ owner, name, state, at }: CheckpointRow): void {
    if (!this.#isIn(owner)) return
    this.#parts.findings.checkpoint(
      { owner: this.#parts.calls.recordedOwner(this.#numberOf(owner)), name, state, at },
      { all: this.#parts.calls.all, settled: this.#settled },
    )
  }

  /** Arms the timers that `b` set in its current tick. */
  #armTimers(): void {
    for (const row of this.#timersOfB.get(this.#tick) ?? []) {
      if (this.#armed.has(row) || !this.#isIn(row.owner)) continue
      const firings = this.#firings.get(row) ?? [row]
      for (const firing of firings) this.#armed.add(firing)
      let count = 0
      const fire = (): void => {
        const firing = firings[count++]
        if (firing !== undefined) this.#fired.add(firing)
        if (count === firings.length) timer.cancel()
        this.#parts.conductor.wake()
      }
      const timer = new VirtualTimer(this.#parts.timers, this.#numberOf(row.owner), row.delay, firings.length > 1, fire)
      this.#waiting.push(timer)
    }
  }

  #hasSeen(row: CompletionRow): boolean {
    if (row.kind === 'timer') return this.#fired.has(row) || !this.#armed.has(row)
    if (row.kind === 'signal') return this.#signals > 0
    const made = this.#made.get(row.step)
    if (made === undefined || isOwnDoing(row) || made.call.runs) return true
    return made.delivery.has(isSettling(row) ? Infinity : made.seen + 1)
  }

  #see(row: CompletionRow): void {
    if (row.kind === 'signal') this.#signals = Math.max(0, this.#signals - 1)
    if (row.kind === 'timer' || row.kind === 'signal') return
    const made = this.#made.get(row.step)
    if (made === undefined) return
    made.seen += 1
    if (!isSettling(row)) return
    made.delivery.settle()
    this.#settled.push(made.call)
    this.#answered(row.step, made.call)
  }

  /** Both runs made the same call, so their answers are compared. */
  #answered(step: number, { planned }: ReplayCall): void {
    const [a, b] = [this.#stepsOfA.get(planned?.call.step ?? 0), this.#stepsOfB.get(step)]
    if (planned === undefined || a === undefined || b === undefined) return
    const divergence = compareAnswers(a, b, this.#parts.draws, planned.settledPlace ?? Infinity)
    if (divergence !== undefined) this.#parts.findings.add({ place: planned.settledPlace ?? this.#plan.endPlace, divergence })
  }

  #finish(): readonly Divergence[] {
    const { end } = this.#b
    if (end !== undefined)
      return this.#parts.findings.finish(end.error === undefined ? { output: end.output } : { error: toError(end.error) })
    const cut = this.#parts.findings.cut()
    const found = this.#parts.findings.finish(undefined)
    return found.length === 0 && this.#plan.end !== undefined ? [cut] : found
  }

  /** Whether the body of a step of `b` is compared. */
  #isIn(owner: number): boolean {
    return owner === 0 || this.#made.get(owner)?.call.runs === true
  }

  #numberOf(stepOfB: number): number {
    return this.#made.get(stepOfB)?.call.number ?? 0
  }
}

/** The door and host, without the place in the code. */
function contactOf({ where }: NoteRow): string {
  return where.split(' at ', 1)[0] ?? ''
}

const noTrail = Object.assign(new Error('compared'), { stack: '' })

function byNumber({ steps }: Trace): ReadonlyMap<number, Step> {
  return new Map(steps.map((step) => [step.step, step]))
}
