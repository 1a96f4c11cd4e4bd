import { isPromise } from 'node:util/types'
import { hostOf } from '../http/host-of.ts'
import { remember } from '../node/remember.ts'
import { answeredFiles } from '../boundaries/files/answered-files.ts'
import { isMachineVariable } from '../boundaries/environment/machine-variables.ts'
import { isHostOf, isMutedCall } from '../http/muted-hosts.ts'
import { recogniseDialect } from '../models/recognise-dialect.ts'
import { AgentTurns } from '../run/agent-turns.ts'
import type { AnswerSink, AnsweredExchange, AnsweredRun, ExchangeStart, FunctionCall, RequestBody, RunTimer } from '../run/active-run.ts'
import { inputOf, type ProcessStart } from '../run/processes.ts'
import { captureTrail } from '../run/call-site.ts'
import type { Settled } from '../trace/rows.ts'
import type { Trace } from '../trace/trace.ts'
import { copyValue } from '../trace/values.ts'
import { AmbientCalls, answerInNextTurn, answerMuted } from './answers/ambient-calls.ts'
import { AnsweredDraws } from './engine/answered-draws.ts'
import { answeredExchange } from './judge/answered-exchange.ts'
import type { CallJudge } from './judge/call-judge.ts'
import type { Activity } from './engine/conducted.ts'
import type { Conductor } from './engine/conductor.ts'
import { describeWaiting } from './engine/describe-waiting.ts'
import { drawsOf } from './judge/draws/draws-of.ts'
import type { RunDraws } from './judge/draws/run-draws.ts'
import type { Findings } from './judge/findings.ts'
import { ConnectionDelivery } from './answers/connection-delivery.ts'
import { FunctionDelivery } from './answers/function-delivery.ts'
import { HttpDelivery, requestOf } from './answers/http-delivery.ts'
import { ProcessDelivery } from './answers/process-delivery.ts'
import { OpeningConnections } from './engine/opening-connections.ts'
import { RecordedSessions } from './answers/recorded-sessions.ts'
import { type IncidentWatch, watchIncident } from './judge/incident/incident-watch.ts'
import { FoundSteps } from './calls/recorded-steps.ts'
import { isOfHost } from './calls/is-of-host.ts'
import type { ReplayCall } from './calls/replay-call.ts'
import type { CallStart, ReachedCheckpoint, ReplayCalls } from './calls/replay-calls.ts'
import { FunctionInput, type ReplaySide, readExchange } from './calls/replayed-input.ts'
import { ReplayRedaction } from './calls/replay-redaction.ts'
import { type OwnWork, watchOwnWork, type WorkStart } from './engine/own-work.ts'
import { type Plan, planOf } from './calls/plan.ts'
import { ReplayLog } from './engine/replay-log.ts'
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
  readonly files: AnsweredRun['files']
  readonly resumedFrom: AnsweredRun['resumedFrom']
  readonly calls: ReplayCalls
  readonly checkpoints: ReachedCheckpoint[] = []
  readonly findings: Findings
  readonly conductor: Conductor
  readonly log: ReplayLog
  finished = false
  /** When the run ended, in virtual milliseconds since it started. */
  endedAt: number | undefined
  /** Whether recorded completions were released while the run's own work was in progress, so that the recording does not determine their order. */
  racedOwnWork = false
  /** Called when a signal reaches the run from outside. */
  onSignal: ((name: string, value: unknown) => void) | undefined
  readonly settings: ReplaySettings
  readonly mutes: (url: string) => boolean
  readonly #ambient: AmbientCalls
  readonly sessions: RecordedSessions
  readonly plan: Plan
  readonly incident: IncidentWatch | undefined
  readonly draws: RunDraws
  reads!: AnsweredDraws
  readonly #timers: VirtualTimers
  readonly redaction: ReplayRedaction
  readonly #side: ReplaySide
  readonly #judge: CallJudge
  readonly live: AnsweredRun['live']
  readonly #activity: RunActivity
  readonly #ownWork: OwnWork
  readonly #onOver: () => void
  #isOver = false
  #outcome: Settled | undefined

  /** @param onOver Called when nothing more can happen in the replay. */
  constructor(trace: Trace, settings: ReplaySettings, onOver: () => void) {
    const { header } = trace
    ;[this.id, this.traceId, this.locale, this.files] = [header.id, header.traceId, header.runtime.locale, answeredFiles(trace)]
    this.environment = new Map(Object.entries(header.runtime.env).filter(([name]) => !isMachineVariable(name)))
    const muted = [...settings.mute, ...(header.muted ?? [])]
    const from = header.resumedFrom
    // Each call returns its own copy of the state.
    this.resumedFrom = from && (() => ({ checkpoint: from.checkpoint, step: from.step, state: copyValue(from.state) }))
    this.mutes = remember((url) => isHostOf(url, muted))
    ;[this.settings, this.#onOver] = [settings, onOver]
    this.redaction = new ReplayRedaction(trace, settings.redact)
    this.#side = { redaction: this.redaction, rules: settings.rules, headers: header.compareHeaders }
    this.#ambient = new AmbientCalls(trace, settings.ambient, settings.rules, this.redaction.renaming)
    this.sessions = new RecordedSessions(trace, this.#side)
    this.plan = planOf(
      trace,
      (call) => this.#ambient.leavesOut(call) || isMutedCall(call, this.mutes) || isOfHost(call, settings.live),
      (call) => this.#runsFunction(call),
    )
    this.#activity = new RunActivity(this.plan, this.turns, this.#wake)
    this.live = this.#activity.contactsWith(settings.live)
    const [startedAt, { seed = '', ahead = 0 }] = [Date.parse(header.startedAt), settings.chance ?? {}]
    this.log = new ReplayLog(startedAt, this)
    this.incident = watchIncident(trace, this.plan, settings)
    const { plan, redaction, incident, log } = this
    const parts = new ReplayParts(this, {
      recorded: trace.steps,
      scope: { run: this, owner: 0 },
      plan,
      settings,
      redaction,
      incident,
      log,
      drawsOf: (progress) => {
        this.reads = new AnsweredDraws(plan.reads, startedAt, { seed: `${header.id}${seed}`, ahead }, progress, log)
        return drawsOf(trace, plan, this.reads.made)
      },
    })
    ;[this.calls, this.conductor, this.findings] = [parts.calls, parts.conductor, parts.findings]
    ;[this.draws, this.#timers, this.#judge] = [parts.draws, parts.timers, parts.judge]
    this.#ownWork = watchOwnWork(this, () => ({ made: this.calls.all.length, place: this.conductor.last.place }))
  }

  get seenTicks(): number {
    return this.log.ticks
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
    ;[this.#outcome, this.endedAt] = [outcome, this.conductor.now]
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
  note(): void {}
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

  answerExchange(start: ExchangeStart, body: RequestBody, sink: AnswerSink): AnsweredExchange {
    const { owner, method, url } = start
    if (this.mutes(url)) return answerMuted(this, sink)
    const dialect = recogniseDialect(method, url)
    const boundary = dialect === undefined ? 'http' : 'model'
    const name = dialect ?? this.redaction.nameOf(hostOf(url).host)
    const delivery = new HttpDelivery(sink)
    const input = isPromise(body) ? undefined : readExchange(start, boundary, name, body, this.#side)
    const call = this.#add({ owner, boundary, name, delivery, runs: false, input, isLate: this.finished })
    if (isPromise(body)) this.#send(call, start, body, sink)
    else {
      delivery.request = { start, body }
      this.#hear(call)
    }
    return answeredExchange(this, this.#timers, call, delivery)
  }

  #answerStream(start: ProcessStart, delivery: ProcessDelivery | ConnectionDelivery): void {
    const name = this.redaction.nameOf(start.name)
    const input = new FunctionInput('external', name, inputOf(start, this.#side.headers), this.#side)
    const { owner, limit } = start
    const call = this.#add({ owner, boundary: 'external', name, limit, delivery, runs: false, input, isLate: this.finished })
    this.#hear(call)
    if (call.planned?.settled?.sync === true) delivery.row(call.planned.settled)
  }

  /** Makes a call whose body has yet to be read. */
  #send(call: ReplayCall, start: ExchangeStart, body: Promise<Uint8Array | undefined>, sink: AnswerSink): void {
    call.trail = captureTrail()
    const arrive = async (): Promise<void> => {
      const sent = await body
      requestOf(call).request = { start, body: sent }
      call.input = readExchange(start, call.boundary, call.name, sent, this.#side)
      this.#hear(call)
    }
    void this.#activity.send(call, arrive, sink.cutBody?.bind(sink)).catch((error: unknown) => sink.fail(error))
  }

  refuseContact(_owner: number, door: string, host: string): Error {
    this.#judge.countRefusal()
    this.log.contact(`${door} ${host}`)
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
    this.#ownWork.stop()
    this.#onOver()
  }

  readonly releases = (): void => void (this.racedOwnWork = this.#ownWork.passes() || this.racedOwnWork)
  readonly hasWorked = (): boolean => this.#ownWork.hasWorked
  readonly behindWork = (): WorkStart | undefined => this.#ownWork.behind
  readonly answerProcess: AnsweredRun['answerProcess'] = (start, to) => this.#answerStream(start, new ProcessDelivery(to))
  readonly answerConnection: AnsweredRun['answerConnection'] = (start, to) => this.#answerStream(start, new ConnectionDelivery(to))
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

  #add(start: CallStart): ReplayCall {
    if (this.#ambient.includes(start.name)) return this.calls.make(start)
    const call = this.calls.add(start, this.#wake)
    this.settings.onCall?.(call)
    this.log.called(call)
    return call
  }

  /** An ambient call is answered in the next turn of the event loop, whatever the trace has at this point. Others go to the judge. */
  #hear(call: ReplayCall): void {
    const answer = this.#ambient.includes(call.name) ? this.#ambient.answerTo(call) : undefined
    if (answer === undefined) return this.#judge.hear(call)
    answerInNextTurn(this, () => call.delivery.answer(answer.value))
  }

  readonly #runsFunction = ({ boundary, name }: Pick<CallStart, 'boundary' | 'name'>): boolean =>
    boundary === 'tool' && this.settings.running(name)
}
