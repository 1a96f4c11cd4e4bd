import type { AnsweredExchange, AnsweredRun, AnswerSink, ExchangeStart, FunctionCall, RequestBody, RunTimer } from '../run/active-run.ts'
import { meaningfulHeaders } from '../boundaries/http/headers.ts'
import { recogniseDialect } from '../models/dialects.ts'
import { createRedactor, type Redactor } from '../record/redaction/redactor.ts'
import { runInScope } from '../run/scope.ts'
import type { CallRow, Effect } from '../trace/rows.ts'
import type { Trace } from '../trace/trace.ts'
import { copyValue } from '../trace/values.ts'
import { Answers } from './answers.ts'
import { Conductor, type Conducted } from './conductor.ts'
import { Findings } from './findings.ts'
import { FunctionDelivery } from './function-delivery.ts'
import { HttpDelivery } from './http-delivery.ts'
import type { Delivery, LiveCall } from './live-call.ts'
import { functionInput, httpInput, type LiveInput } from './live-input.ts'
import { Matcher } from './matcher.ts'
import { createPlan, type Plan, type PlannedStep } from './plan.ts'
import { RecordedReads } from './recorded-reads.ts'
import { RefusedError } from './refused-error.ts'
import type { ReplaySettings } from './replay-options.ts'
import { VirtualTimer, VirtualTimers } from './virtual-timers.ts'

/** After so many refusals calls no longer settle: an agent that catches everything and tries again would never end. */
const refusalLimit = 50

/** A checkpoint that the agent reached in this replay. */
export interface LiveCheckpoint {
  readonly owner: number
  readonly name: string
  readonly state: unknown
  readonly at: number
}

/** A run that is answered from a trace: every boundary asks it, and the conductor answers in the recorded order. */
export class ReplayingRun implements AnsweredRun, Conducted {
  readonly mode = 'replay'
  // Its context never counts as outside: what a replayed run leaves running must not reach the world.
  readonly closed = false
  readonly id: string
  readonly traceId: string
  readonly calls: LiveCall[] = []
  /** The calls that have settled, in that order. */
  readonly settled: LiveCall[] = []
  readonly checkpoints: LiveCheckpoint[] = []
  readonly findings: Findings
  readonly conductor: Conductor
  readonly reads: RecordedReads
  finished = false
  readonly #lastRecorded: number
  readonly #settings: ReplaySettings
  readonly #plan: Plan
  readonly #matcher: Matcher
  readonly #timers: VirtualTimers
  readonly #redactor: Redactor = createRedactor()
  readonly #answers: Answers
  readonly #over: () => void
  #new: LiveCall[] = []
  #busy = 0
  #refusals = 0
  #isOver = false

  constructor(trace: Trace, settings: ReplaySettings, over: () => void) {
    const { header } = trace
    this.#lastRecorded = Math.max(0, ...trace.steps.map(({ step }) => step))
    this.id = header.id
    this.traceId = header.traceId
    this.#settings = settings
    this.#over = over
    this.#plan = createPlan(trace, (call) => this.#runsFunction(call.boundary, call.name))
    this.#matcher = new Matcher(this.#plan)
    this.reads = new RecordedReads(this.#plan.reads, Date.parse(header.startedAt), header.id)
    this.#timers = new VirtualTimers(this.#progress())
    this.conductor = new Conductor(this.#plan, this.#timers, this)
    this.findings = new Findings(this.#plan, this.conductor, settings)
    this.#answers = new Answers(settings)
  }

  get stopped(): boolean {
    return this.findings.stop !== undefined
  }

  get plan(): Plan {
    return this.#plan
  }

  /** A call's step number: the recorded one, or for a call that the trace does not have a number behind them all. */
  numberOf(call: LiveCall): number {
    if (call.planned !== undefined) return call.planned.call.step
    const extra = this.calls.filter((other) => other.planned === undefined)
    return this.#lastRecorded + 1 + extra.indexOf(call)
  }

  /** The agent has returned or thrown. */
  finish(): void {
    this.finished = true
    this.conductor.wake()
  }

  flag(): void {
    // A flag is for the person who reads the recording.
  }

  note(): void {
    // As is a note.
  }

  checkpoint(owner: number, name: string, state: unknown): void {
    if (this.#isOver) return
    const kept = { owner: this.#recordedNumber(owner), name, state: this.#redactor.value(copyValue(state)), at: this.conductor.now }
    this.checkpoints.push(kept)
    this.findings.checkpoint(kept)
  }

  callFunction(call: FunctionCall, invoke: () => unknown): unknown {
    const { boundary, name, effect, idempotencyKey } = call
    const input = functionInput(boundary, name, call.input, this.#redactor)
    const delivery = new FunctionDelivery(call.errors)
    const runs = this.#runsFunction(boundary, name)
    const live = this.#add({ owner: call.owner, boundary, name, delivery, runs, input, ...given(effect, idempotencyKey) })
    const substitute = this.#settings.substitutes.get(name)
    if (runs || substitute !== undefined) return this.#runFunction(live, substitute === undefined ? invoke : () => substitute(call.input))
    const planned = this.#isOver || this.stopped ? undefined : this.#matcher.takeEqual(live)
    if (planned !== undefined) {
      this.#match(live, planned)
      const { settled } = planned
      if (settled?.sync === true) return delivery.settleNow(settled)
    } else {
      this.#new.push(live)
    }
    this.conductor.wake()
    return delivery.promise
  }

  answerExchange(start: ExchangeStart, body: RequestBody, sink: AnswerSink): AnsweredExchange {
    const { method, url } = start
    const dialect = recogniseDialect(method, url)
    const boundary = dialect === undefined ? 'http' : 'model'
    const name = dialect?.name ?? new URL(url).host
    const read = (bytes: Uint8Array | string | undefined): LiveInput => {
      const sent = typeof start.headers === 'function' ? start.headers() : start.headers
      return httpInput({ boundary, name, method, url, headers: meaningfulHeaders(sent) }, bytes, this.#redactor)
    }
    const delivery = new HttpDelivery(sink)
    const ready = body instanceof Promise ? {} : { input: read(body) }
    const live = this.#add({ owner: start.owner, boundary, name, delivery, runs: false, ...ready })
    this.#new.push(live)
    if (body instanceof Promise) {
      const release = this.busy()
      body
        .then((bytes) => (live.input = read(bytes)), (error: unknown) => sink.fail(error))
        .finally(release)
    }
    this.conductor.wake()
    return { stop: () => delivery.stop() }
  }

  refuseContact(owner: number, door: string, host: string): Error {
    return this.findings.contact(owner, door, host)
  }

  busy(): () => void {
    this.#busy += 1
    let released = false
    return () => {
      if (released) return
      released = true
      this.#busy -= 1
      this.conductor.wake()
    }
  }

  isBusy(): boolean {
    return this.#busy > 0
  }

  readClock(owner: number): number {
    return this.reads.clock(this.#recordedNumber(owner), this.conductor.tick, this.conductor.now)
  }

  readMonotonic(owner: number): number {
    return this.reads.monotonic(this.#recordedNumber(owner), this.conductor.tick, this.conductor.now)
  }

  readRandom(owner: number): number {
    return this.reads.random(this.#recordedNumber(owner), this.conductor.tick)
  }

  readUuid(owner: number): string {
    return this.reads.uuid(this.#recordedNumber(owner), this.conductor.tick)
  }

  readBytes(owner: number, size: number): Uint8Array {
    return this.reads.bytes(this.#recordedNumber(owner), this.conductor.tick, size)
  }

  startTimer(owner: number, delay: number, repeats: boolean, fire: () => void): RunTimer {
    return new VirtualTimer(this.#timers, owner, delay, repeats, fire)
  }

  signal(): void {
    // Signals are handed to those who wait for them.
  }

  setAside(): void {
    // Whether its call is made later decides what it is.
  }

  over(): void {
    this.#isOver = true
    this.#over()
  }

  /** Finds out what the calls since the last turn are: all equal inputs first, then what is left is held against what is due. */
  settleCalls(): boolean {
    const ready = this.#new.filter((call) => call.input !== undefined)
    if (ready.length === 0) return false
    this.#new = this.#new.filter((call) => call.input === undefined)
    const unequal: LiveCall[] = []
    for (const call of ready) {
      const planned = this.stopped ? undefined : this.#matcher.takeEqual(call)
      if (planned === undefined) unequal.push(call)
      else this.#match(call, planned)
    }
    for (const call of unequal) this.#settleUnequal(call)
    return true
  }

  #match(call: LiveCall, planned: PlannedStep): void {
    call.planned = planned
    this.findings.made(call, planned)
    this.conductor.meet(planned, call)
  }

  #settleUnequal(call: LiveCall): void {
    if (this.#isOver || this.stopped) return this.#refuse(call)
    const due = this.#matcher.repeats(call) ? [] : this.#matcher.untaken(call).filter((step) => this.conductor.isDue(step))
    const finding = this.findings.unequal(call, due)
    if (finding.isAllowed) return this.#takeDue(call, finding.step)
    const answer = this.#answers.for(call)
    if (answer !== undefined) {
      if (finding.step !== undefined) this.#matcher.take(finding.step)
      if (finding.step !== undefined) this.findings.replaced(finding.step)
      const release = this.busy()
      void answer.then((value) => call.delivery.answer(value), (error: unknown) => call.delivery.refuse(asError(error))).finally(release)
      return
    }
    if (this.#settings.mode === 'continue' && finding.step !== undefined) return this.#takeDue(call, finding.step)
    if (this.#settings.mode !== 'continue') this.findings.stopAt(finding)
    this.#refuse(call)
  }

  #takeDue(call: LiveCall, step: PlannedStep | undefined): void {
    if (step === undefined) return
    this.#matcher.take(step)
    this.#match(call, step)
  }

  #refuse(call: LiveCall): void {
    this.#refusals += 1
    if (this.#refusals > refusalLimit) {
      if (!this.#isOver) this.over()
      return
    }
    call.delivery.refuse(new RefusedError(call, this.findings.stop?.divergence))
  }

  #runFunction(live: LiveCall, body: () => unknown): unknown {
    this.#new.push(live)
    this.conductor.wake()
    const release = this.busy()
    const settle = (outcome: { readonly output: unknown } | { readonly error: unknown }): void => {
      live.outcome = outcome
      this.#settle(live)
      release()
    }
    let result: unknown
    try {
      result = runInScope({ run: this, owner: live.number }, body)
    } catch (error) {
      settle({ error })
      throw error
    }
    if (!(result instanceof Promise)) {
      settle({ output: result })
      return result
    }
    // It settles by itself; while it waits for recorded answers, the run is not busy.
    release()
    return result.then(
      (output: unknown) => {
        settle({ output })
        return output
      },
      (error: unknown) => {
        settle({ error })
        throw error
      },
    )
  }

  #settle(live: LiveCall): void {
    if (live.state === 'settled') return
    live.state = 'settled'
    live.settledAt = this.conductor.now
    this.settled.push(live)
    this.conductor.wake()
  }

  #add(
    start: Pick<LiveCall, 'boundary' | 'name' | 'delivery' | 'runs' | 'effect' | 'idempotencyKey' | 'input'> & {
      readonly owner: number
    },
  ): LiveCall {
    const { owner, ...rest } = start
    const live: LiveCall = {
      ...rest,
      number: this.calls.length + 1,
      owner: this.calls[owner - 1],
      trail: captureTrail(),
      madeAt: this.conductor.place,
      state: 'open',
      at: this.conductor.now,
    }
    this.calls.push(live)
    start.delivery.attach(live, () => this.#settle(live))
    return live
  }

  #recordedNumber(owner: number): number {
    return this.calls[owner - 1]?.planned?.call.step ?? 0
  }

  #progress(): { readonly tick: number; readonly now: number; recordedOwner(owner: number): number } {
    const conductor = (): Conductor | undefined => this.conductor
    return {
      get tick() {
        return conductor()?.tick ?? 0
      },
      get now() {
        return conductor()?.now ?? 0
      },
      recordedOwner: (owner) => this.#recordedNumber(owner),
    }
  }

  #runsFunction(boundary: CallRow['boundary'], name: string): boolean {
    return boundary === 'tool' && this.#settings.running(name)
  }
}

function given(effect: Effect | undefined, idempotencyKey: string | undefined): { effect?: Effect; idempotencyKey?: string } {
  return { ...(effect === undefined ? {} : { effect }), ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
}

/** Where the agent made a call: below it lie a client's own frames, so more of them are needed than Node keeps by default. */
function captureTrail(): Error {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 40
  const trail = new Error('call')
  Error.stackTraceLimit = limit
  return trail
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
