import type { JudgedRequest } from '../http/telemetry/judge-telemetry.ts'
import { AgentTurns } from '../run/agent-turns.ts'
import { tellAfterwards } from './tell-afterwards.ts'
import type { AnsweredRun, FunctionCall, RunTimer } from '../run/active-run.ts'
import { askedInput, type ProcessStart } from '../run/processes.ts'
import type { Settled } from '../trace/rows.ts'
import type { Trace } from '../trace/trace.ts'
import { copyValue } from '../trace/values.ts'
import { AmbientCalls, answerInNextTurn } from './answers/ambient-calls.ts'
import { AnsweredDraws } from './engine/answered-draws.ts'
import type { CallJudge } from './judge/call-judge.ts'
import type { Activity, Conducted } from './engine/conducted.ts'
import type { Conductor } from './engine/conductor.ts'
import { describeWaiting } from './engine/describe-waiting.ts'
import { drawsOf } from './judge/draws/draws-of.ts'
import type { RunDraws } from './judge/draws/run-draws.ts'
import type { Findings } from './judge/findings.ts'
import { ConnectionDelivery } from './answers/connection-delivery.ts'
import { FunctionDelivery } from './answers/function-delivery.ts'
import { RecordedHeads } from './answers/http-delivery.ts'
import { LeftOutCalls } from './answers/left-out-calls.ts'
import { ProcessDelivery } from './answers/process-delivery.ts'
import { OpeningConnections } from './engine/opening-connections.ts'
import { RecordedSessions } from './answers/recorded-sessions.ts'
import { type IncidentWatch, watchIncident } from './judge/incident/incident-watch.ts'
import { FoundSteps } from './calls/recorded-steps.ts'
import { comparedHeadersOf } from './calls/compared-headers.ts'
import type { ReplayCall } from './calls/replay-call.ts'
import type { CallStart, ReachedCheckpoint, ReplayCalls } from './calls/replay-calls.ts'
import { FunctionInput, type ReplaySide } from './calls/replayed-input.ts'
import { ReplayRedaction } from './calls/replay-redaction.ts'
import { type OwnWork, watchOwnWork, type WorkStart } from './engine/own-work.ts'
import type { Plan } from './calls/plan.ts'
import { planOf } from './calls/plan-of.ts'
import { runEnvironment } from './engine/run-environment.ts'
import { ReplayLog } from './engine/replay-log.ts'
import { RequestAnswers } from './request-answers.ts'
import type { ReplaySettings } from './contract/replay-options.ts'
import { RunActivity } from './engine/run-activity.ts'
import { type HeldRun, ReplayParts } from './judge/replay-parts.ts'
import { VirtualTimer, type VirtualTimers } from './engine/virtual-timers.ts'

/** A run that is answered from a trace: every boundary calls it, and the conductor answers in the recorded order. */
export class ReplayingRun implements AnsweredRun, HeldRun {
  readonly mode = 'replay'
  readonly closed = false // its context never counts as outside: what outlives a replayed run must not reach the world
  readonly id: string
  readonly traceId: string
  readonly environment: Map<string, string | null>
  readonly locale: string
  readonly resumedFrom: AnsweredRun['resumedFrom']
  readonly calls: ReplayCalls
  readonly checkpoints: ReachedCheckpoint[] = []
  readonly findings: Findings
  readonly conductor: Conductor
  readonly log: ReplayLog
  finished = false
  changedFiles: readonly string[] = [] // Set when the run is over.
  endedAt: number | undefined // In virtual milliseconds since the run started.
  /** Whether recorded completions were released while the run's own work was in progress, so that the recording does not determine their order. */
  racedOwnWork = false
  /** Called when a signal reaches the run from outside. */
  onSignal: ((name: string, value: unknown) => void) | undefined
  readonly settings: ReplaySettings
  readonly leftOut: LeftOutCalls
  readonly #requests: RequestAnswers
  readonly #ambient: AmbientCalls
  /** What the calls get that repeat a failed read from a store. */
  readonly #failures = new WeakMap<ReplayCall, { readonly value: unknown }>()
  readonly sessions: RecordedSessions
  readonly plan: Plan
  readonly incident: IncidentWatch | undefined
  readonly draws: RunDraws
  reads!: AnsweredDraws
  readonly heads: RecordedHeads
  readonly #timers: VirtualTimers
  readonly redaction: ReplayRedaction
  readonly #side: ReplaySide
  readonly #judge: CallJudge
  readonly live: AnsweredRun['live']
  readonly #activity: RunActivity
  readonly #ownWork: OwnWork
  readonly #onOver: () => void
  isPartlyLive = false // The agent has called `live`.
  #isOver = false
  #outcome: Settled | undefined

  /** @param onOver Called when nothing more can happen in the replay. */
  constructor(trace: Trace, settings: ReplaySettings, onOver: () => void) {
    const { header } = trace
    this.id = header.id
    this.traceId = header.traceId
    this.locale = header.runtime.locale
    this.environment = runEnvironment(trace)
    const { resumedFrom: from } = header
    // Each call returns its own copy of the state.
    this.resumedFrom = from && (() => ({ checkpoint: from.checkpoint, step: from.step, state: copyValue(from.state) }))
    this.settings = settings
    this.#onOver = onOver
    this.heads = new RecordedHeads(header.format)
    this.redaction = new ReplayRedaction(trace, settings.redact)
    this.#side = { redaction: this.redaction, rules: settings.rules, headers: comparedHeadersOf(trace) }
    this.#ambient = new AmbientCalls(trace, settings.ambient, settings.rules, this.redaction.renaming)
    this.leftOut = new LeftOutCalls(trace, this.#ambient, settings)
    this.sessions = new RecordedSessions(trace, this.#side)
    this.plan = planOf(
      trace,
      (call) => this.leftOut.has(call),
      (call) => this.#runsFunction(call),
    )
    this.#activity = new RunActivity(this.plan, this.turns, this.#wake)
    this.live = this.#activity.contactsWith(settings.live)
    const [startedAt, { seed = '', ahead = 0 }] = [Date.parse(header.startedAt), settings.chance ?? {}]
    this.log = new ReplayLog(startedAt, this)
    this.incident = watchIncident(trace, this.plan, settings)
    const parts = new ReplayParts(this, {
      recorded: trace.steps,
      scope: { run: this, owner: 0 },
      plan: this.plan,
      settings,
      redaction: this.redaction,
      incident: this.incident,
      log: this.log,
      drawsOf: (progress) => {
        this.reads = new AnsweredDraws(this.plan.reads, startedAt, { seed: `${header.id}${seed}`, ahead }, progress, this.log)
        return drawsOf(trace, this.plan, this.reads.made)
      },
    })
    this.calls = parts.calls
    this.conductor = parts.conductor
    this.findings = parts.findings
    this.draws = parts.draws
    this.#timers = parts.timers
    this.#judge = parts.judge
    this.#requests = new RequestAnswers({
      run: this,
      leftOut: this.leftOut,
      side: this.#side,
      activity: this.#activity,
      timers: this.#timers,
      nameOf: (host) => this.redaction.nameOf(host),
      add: (start, url) => this.#add(start, url),
      hear: (call, url) => this.#hear(call, url),
    })
    this.#ownWork = watchOwnWork(this, () => ({ made: this.calls.all.length, place: this.conductor.last.place }))
  }

  get stopped(): boolean {
    return this.findings.stop !== undefined
  }

  get exhausted(): boolean {
    return this.#judge.exhausted
  }

  get ended(): boolean {
    return this.#isOver || this.exhausted
  }

  /** The agent has returned or thrown. */
  finish(outcome: Settled | undefined): void {
    this.finished = true
    this.#outcome = outcome
    this.endedAt = this.conductor.now
    this.findings.end(this.hasWorked())
    this.log.ends()
    this.conductor.wake()
  }

  /** Compares what the agent returned before work that outlives the run changes it. */
  passEnd(): void {
    if (this.#outcome !== undefined) this.findings.settle(this.#outcome)
  }

  // Flags are meant for readers of the recording and are not compared.
  flag(): void {}
  readonly note = (what: string): void => void (this.isPartlyLive ||= what === 'live')
  readState(): void {}

  checkpoint(owner: number, called: string, state: unknown): void {
    if (this.#isOver) return
    const name = this.redaction.nameOf(called)
    const made = { owner: this.calls.recordedOwner(owner), name, state: this.redaction.unrenamed.toRead(state), at: this.conductor.now }
    const reached = { ...made, state: this.redaction.renamed(made.state) }
    const recorded = this.findings.checkpoint(reached, this.calls)
    const kept = { ...reached, state: this.redaction.renamed(reached.state) }
    this.checkpoints.push({ kept, made, hashed: recorded ?? kept, settled: this.calls.settled.length })
    this.log.checkpoint(kept)
  }

  callFunction(made: FunctionCall, invoke: (args?: readonly unknown[]) => unknown): unknown {
    const substitute = made.boundary === 'tool' ? this.settings.substitutes.get(made.name) : undefined
    const delivery = new FunctionDelivery({ made, invoke, substitute, run: this })
    const runs = substitute !== undefined || this.#runsFunction(made)
    const input = new FunctionInput(made.boundary, made.name, made.input, this.#side)
    const call = this.#add({ ...made, name: this.redaction.nameOf(made.name), delivery, runs, input, isLate: this.finished })
    this.#hear(call)
    if (call.runs && (this.ended || this.#judge.isFlooded)) return new Promise(() => undefined)
    if (made.atOnce === true) this.#judge.decideNow(call)
    if (call.runs) return delivery.follow()
    return delivery.give((call.planned ?? call.source)?.settled)
  }

  #answerStream(start: ProcessStart, delivery: ProcessDelivery | ConnectionDelivery): void {
    const name = this.redaction.nameOf(start.name)
    const asked = askedInput(start, this.#side.headers.askedBy)
    const input = new FunctionInput('external', name, asked.input, this.#side, asked.credentials)
    const { owner, limit } = start
    const call = this.#add({ owner, boundary: 'external', name, limit, delivery, runs: false, input, isLate: this.finished })
    this.#hear(call)
    if (call.planned?.settled?.sync === true) delivery.row(call.planned.settled)
  }

  refuseContact(_owner: number, door: string, host: string): Error {
    this.#judge.countRefusal()
    this.log.contact(`${door} ${host}`)
    tellAfterwards(this, `contact ${host} (${door})`)
    return this.findings.contact({ door, host })
  }

  /** Describes what a run that never ended was waiting for. */
  readonly waitsFor = (): string[] =>
    describeWaiting(this.calls.all, this.#timers.waiting, this.#activity.now(this.finished), this.#ownWork.isGivenUp)

  startTimer(owner: number, delay: number, repeats: boolean, fire: () => void): RunTimer {
    this.conductor.wake()
    return new VirtualTimer(this.#timers, owner, delay, repeats, fire, this.log)
  }

  signal(name: string, value: unknown): void {
    this.log.signal(name, value)
    this.sessions.signal(name, value)
    this.onSignal?.(name, value)
  }

  over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.findings.lines.end()
    this.#ownWork.stop()
    this.#onOver()
  }

  readonly answerExchange: AnsweredRun['answerExchange'] = (start, body, sink) => this.#requests.answer(start, body, sink)
  readonly mutes = (request: JudgedRequest): boolean => this.leftOut.mutes(request)
  readonly releases: Conducted['releases'] = (rows, when) => {
    if (when === 'in place') this.racedOwnWork = this.#ownWork.passes() || this.racedOwnWork
    this.findings.lines.release(rows)
  }
  readonly hasWorked = (): boolean => this.#ownWork.hasWorked
  readonly behindWork = (): WorkStart | undefined => this.#ownWork.behind
  readonly answerProcess: AnsweredRun['answerProcess'] = (start, to) => this.#answerStream(start, new ProcessDelivery(to))
  readonly answerConnection: AnsweredRun['answerConnection'] = (start, to) => this.#answerStream(start, new ConnectionDelivery(to))
  readonly seenTicks = (): number => this.log.ticks
  readonly activity = (): Activity => (this.#ownWork.isUnderWay() ? 'working' : this.#activity.now(this.finished))
  readonly settleCalls = (): boolean => this.#judge.decide()
  readonly settleEarlyCalls = (): boolean => this.#judge.decideEarly()
  readonly sandboxFile: AnsweredRun['sandboxFile'] = (driver) => this.settings.sandboxFiles?.get(driver)
  readonly busy = (): (() => void) => this.#activity.work()
  readonly works = (): (() => void) => this.#ownWork.begin(this.busy())
  readonly turns: AgentTurns = new AgentTurns(() => this.conductor.nextTurn())
  readonly opening: OpeningConnections = new OpeningConnections(() => this.busy())
  readonly recorded: FoundSteps = new FoundSteps(this)
  readonly writes = (cut: () => void): (() => void) => this.#activity.write(cut)
  readonly isArriving = (step: number): boolean => this.#activity.isArriving(step)
  readonly cutBodies = (): boolean => this.#activity.cutBodies()
  readonly readClock = (owner: number): number => this.reads.clock(owner)
  readonly readMonotonic = (owner: number): number => this.reads.monotonic(owner)
  readonly readRandom = (owner: number): number => this.reads.random(owner)
  readonly readUuid = (owner: number): string => this.reads.uuid(owner)
  readonly readBytes = (owner: number, size: number): Uint8Array => this.reads.bytes(owner, size)
  readonly readFact = (owner: number, name: string, real: () => unknown): unknown => this.reads.fact(owner, name, real)
  readonly now = (): number => this.log.startedAt + this.conductor.now
  readonly #wake = (): void => this.conductor.wake()

  /** @param url Of a request. */
  #add(start: CallStart, url?: string): ReplayCall {
    const failure = this.#ambient.failureOf(start)
    if (failure !== undefined || this.#ambient.isNamed(start, url) || this.#ambient.answerTo(start, url) !== undefined) {
      const call = this.calls.make(start)
      if (failure !== undefined) this.#failures.set(call, failure)
      return call
    }
    const call = this.calls.add(start, this.#wake)
    this.settings.onCall?.(call)
    this.log.called(call)
    tellAfterwards(this, `call ${call.name} (${call.boundary})`)
    return call
  }

  /** An ambient call is answered in the next turn of the event loop, whatever the trace has at this point. Others go to the judge. */
  #hear(call: ReplayCall, url?: string): void {
    const answer = this.#failures.get(call) ?? this.#ambient.answerTo(call, url)
    if (answer === undefined) return this.#judge.hear(call)
    answerInNextTurn(this, () => call.delivery.answer(answer.value))
  }

  readonly #runsFunction = ({ boundary, name }: Pick<CallStart, 'boundary' | 'name'>): boolean =>
    boundary === 'tool' && this.settings.running(name)
}
