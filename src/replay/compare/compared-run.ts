import { StandInRenaming } from '../../divergence/stand-ins.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import { toError } from '../../trace/recorded-error.ts'
import type { CallRow, CheckpointRow, CompletionRow, NoteRow, Row, TimerRow } from '../../trace/rows.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import { CallJudge } from '../call-judge.ts'
import type { Activity, Conducted } from '../conducted.ts'
import { isCompletion, isOwnDoing, isSettling } from '../completions.ts'
import { Conductor } from '../conductor.ts'
import { Findings } from '../findings.ts'
import type { LiveCall } from '../live-call.ts'
import { LiveRedaction } from '../live-redaction.ts'
import { LiveCalls } from '../live-calls.ts'
import { createPlan, type Plan } from '../plan.ts'
import { toSettings } from '../replay-options.ts'
import { type Progress, VirtualTimer, VirtualTimers } from '../virtual-timers.ts'
import { compareAnswers } from './compare-answers.ts'
import { ComparedDelivery } from './compared-delivery.ts'
import { comparedInput } from './compared-input.ts'
import { type Bodies, createBodies } from './bodies.ts'
import type { RunDraws } from '../draws/run-draws.ts'
import { drawsOfBoth } from './drawn-by.ts'
import { firingsOf } from './firings.ts'
import { pairSteps, type StepPair } from './pair-steps.ts'

/** What comparing two runs came to. */
export interface Compared {
  readonly divergences: readonly Divergence[]
  /** In the order of `a`, those that only `b` has where they were made. */
  readonly pairs: readonly StepPair[]
}

/** A call of `b`, and what it is told of. */
interface ComparedCall {
  readonly call: LiveCall
  readonly delivery: ComparedDelivery
  /** How many completions of it `b` has seen. */
  seen: number
}

/**
 * Run `b` as if it were replayed against run `a`: it makes each of its calls as soon as it has seen all that it had seen before that call when
 * it was recorded. The judge, the order of calls and the findings are those of a replay, so that the verdict is too. No code of an agent runs.
 */
export class ComparedRun implements Conducted {
  readonly exhausted = false
  finished = false
  readonly #b: Trace
  readonly #plan: Plan
  readonly #timers: VirtualTimers
  readonly #conductor: Conductor
  readonly #findings: Findings
  readonly #judge: CallJudge
  readonly #calls: LiveCalls
  readonly #draws: RunDraws
  readonly #stepsOfA: ReadonlyMap<number, Step>
  readonly #stepsOfB: ReadonlyMap<number, Step>
  readonly #made = new Map<number, ComparedCall>()
  readonly #bodies: Bodies
  readonly #contactsOfA: ReadonlySet<string>
  /** By the tick that they were set in. */
  readonly #timersOfB: ReadonlyMap<number, readonly TimerRow[]>
  readonly #firings: ReadonlyMap<TimerRow, readonly TimerRow[]>
  readonly #waiting: VirtualTimer[] = []
  readonly #fired = new Set<TimerRow>()
  readonly #armed = new Set<TimerRow>()
  readonly #over = Promise.withResolvers<void>()
  /** Calls of `b` that it has seen settle. */
  readonly #settled: LiveCall[] = []
  #signals = 0
  #next = 1
  #tick = 0

  constructor(a: Trace, b: Trace) {
    const bodies = createBodies(a, b)
    this.#b = b
    this.#bodies = bodies
    this.#contactsOfA = new Set(a.rows.flatMap((row) => (row.kind === 'note' ? [contactOf(row)] : [])))
    this.#stepsOfA = byNumber(a)
    this.#stepsOfB = byNumber(b)
    this.#draws = drawsOfBoth(a, b)
    const timers = b.rows.filter((row) => row.kind === 'timer')
    this.#timersOfB = Map.groupBy(timers, ({ set }) => set)
    this.#firings = firingsOf(b)
    this.#plan = createPlan(a, bodies.isAmbient, bodies.runs)
    const progress: Progress = {
      tick: () => this.#conductor.tick,
      place: () => this.#conductor.place,
      now: () => this.#conductor.now,
      calls: () => [],
      after: () => undefined,
      finished: () => false,
      seen: () => this.#tick,
      recordedOwner: (owner) => this.#calls.recordedOwner(owner),
    }
    this.#calls = new LiveCalls(a.steps, progress)
    this.#timers = new VirtualTimers(progress)
    this.#conductor = new Conductor(this.#plan, this.#timers, this)
    // What an agent does once its replay was stopped is nobody's business, here as there.
    const settings = toSettings('compareRuns', {}, b.header.replay !== undefined && b.end === undefined ? 'stop' : 'continue')
    // Each trace has its own numbers for the same values.
    const redaction = new LiveRedaction(a, undefined, new StandInRenaming())
    this.#findings = new Findings(this.#plan, this.#conductor, settings, redaction, {
      draws: this.#draws,
      isReplayed: b.header.replay !== undefined,
    })
    this.#judge = new CallJudge({
      plan: this.#plan,
      conductor: this.#conductor,
      findings: this.#findings,
      settings,
      redaction,
      draws: this.#draws,
      busy: () => () => undefined,
      refusalLimit: Infinity,
    })
  }

  /** Goes through both runs. */
  async compare(): Promise<Compared> {
    this.#conductor.wake()
    await this.#over.promise
    // What still waits for something that `a` does not have is done without it.
    while (!this.finished || this.#judge.isOpen) {
      this.#advance(true)
      while (this.#judge.decide() || this.#judge.decideEarly());
    }
    return { divergences: this.#finish(), pairs: pairSteps(this.#plan, this.#made, this.#stepsOfA, this.#stepsOfB) }
  }

  /** A run that breaks off proves nothing about what would have come. */
  get stopped(): boolean {
    return this.#findings.stop !== undefined || (this.finished && this.#b.end === undefined && !this.#judge.isOpen)
  }

  settleCalls(): boolean {
    const advanced = this.#advance(false)
    return this.#judge.decide() || advanced
  }

  settleEarlyCalls(): boolean {
    return this.#judge.decideEarly()
  }

  cutBodies(): boolean {
    return false
  }

  releases(): void {
    // Nothing is under way in a run that is over.
  }

  activity(): Activity {
    return 'none'
  }

  isArriving(): boolean {
    return false
  }

  signal(): void {
    this.#signals += 1
  }

  passEnd(): void {}

  over(): void {
    this.#over.resolve()
  }

  /** Does what `b` did up to the first completion that it has not seen yet. Tells whether there was anything. */
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
      this.#findings.contact({ door, host: host.join(' ') })
    }
  }

  #call(row: CallRow): void {
    if (this.#bodies.isAmbient(row) || !this.#isIn(row.owner)) return
    const delivery = new ComparedDelivery()
    const { boundary, name, effect, idempotencyKey } = row
    const owner = this.#numberOf(row.owner)
    const input = comparedInput(row)
    const start = { owner, boundary, name, effect, idempotencyKey, delivery, runs: this.#bodies.runs(row), input, isLate: false }
    const call = this.#calls.add(start, () => this.#conductor.wake())
    // Nobody asks where in its code it was made: this is another process's.
    call.trail = noTrail
    this.#made.set(row.step, { call, delivery, seen: 0 })
    this.#judge.hear(call)
  }

  #checkpoint({ owner, name, state, at }: CheckpointRow): void {
    if (!this.#isIn(owner)) return
    this.#findings.checkpoint(
      { owner: this.#calls.recordedOwner(this.#numberOf(owner)), name, state, at },
      { all: this.#calls.all, settled: this.#settled },
    )
  }

  /** Timers that `b` set in the tick that it has come to. */
  #armTimers(): void {
    for (const row of this.#timersOfB.get(this.#tick) ?? []) {
      if (this.#armed.has(row) || !this.#isIn(row.owner)) continue
      const firings = this.#firings.get(row) ?? [row]
      for (const firing of firings) this.#armed.add(firing)
      let count = 0
      const fire = (): void => {
        const firing = firings[count++]
        if (firing !== undefined) this.#fired.add(firing)
        this.#conductor.wake()
      }
      this.#waiting.push(new VirtualTimer(this.#timers, this.#numberOf(row.owner), row.delay, firings.length > 1, fire))
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

  /** Both runs asked the same: were they answered the same? */
  #answered(step: number, { planned }: LiveCall): void {
    const [a, b] = [this.#stepsOfA.get(planned?.call.step ?? 0), this.#stepsOfB.get(step)]
    if (planned === undefined || a === undefined || b === undefined) return
    const divergence = compareAnswers(a, b, this.#draws, planned.settledPlace ?? Infinity)
    if (divergence !== undefined) this.#findings.add({ place: planned.settledPlace ?? this.#plan.endPlace, divergence })
  }

  #finish(): readonly Divergence[] {
    const { end } = this.#b
    if (end !== undefined) return this.#findings.finish(end.error === undefined ? { output: end.output } : { error: toError(end.error) })
    const cut = this.#findings.cut()
    const found = this.#findings.finish(undefined)
    return found.length === 0 && this.#plan.end !== undefined ? [cut] : found
  }

  /** Whether what happens in the body of a step of `b` is compared. */
  #isIn(owner: number): boolean {
    return owner === 0 || this.#made.get(owner)?.call.runs === true
  }

  #numberOf(stepOfB: number): number {
    return this.#made.get(stepOfB)?.call.number ?? 0
  }
}

/** Door and host, without the place in the code. */
function contactOf({ where }: NoteRow): string {
  return where.split(' at ', 1)[0] ?? ''
}

const noTrail = Object.assign(new Error('compared'), { stack: '' })

function byNumber({ steps }: Trace): ReadonlyMap<number, Step> {
  return new Map(steps.map((step) => [step.step, step]))
}
