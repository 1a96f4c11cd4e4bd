import { hostOf } from '../boundaries/http/host-of.ts'
import { remember } from '../boundaries/http/remember.ts'
import { isMachineVariable } from '../boundaries/environment/machine-variables.ts'
import { isHostOf, isMutedCall } from '../boundaries/http/muted-hosts.ts'
import { recogniseDialect } from '../models/recognise-dialect.ts'
import type { AnsweredExchange, AnsweredRun, AnswerSink, ExchangeStart, FunctionCall, RequestBody, RunTimer } from '../run/active-run.ts'
import type { PathRules } from '../divergence/path-rules.ts'
import { captureTrail } from '../run/call-site.ts'
import { runInScope } from '../run/scope.ts'
import type { Trace } from '../trace/trace.ts'
import { AmbientCalls } from './ambient-calls.ts'
import { AnsweredDraws } from './answered-draws.ts'
import { answerInNextTurn, answerMuted } from './muted-answer.ts'
import { CallJudge } from './call-judge.ts'
import type { Activity, Conducted } from './conducted.ts'
import { Conductor } from './conductor.ts'
import { describeWaiting } from './describe-waiting.ts'
import { drawsOf } from './draws/draws-of.ts'
import type { RunDraws } from './draws/run-draws.ts'
import { Findings } from './findings.ts'
import { FunctionDelivery } from './function-delivery.ts'
import { HttpDelivery } from './http-delivery.ts'
import { watchIncident } from './incident/watch-incident.ts'
import type { IncidentWatch } from './incident/incident-watch.ts'
import { isOfHost } from './is-of-host.ts'
import type { LiveCall } from './live-call.ts'
import { type CallStart, LiveCalls, type LiveCheckpoint } from './live-calls.ts'
import { readExchange } from './read-exchange.ts'
import { FunctionInput, type LiveSide } from './live-input.ts'
import { leaveAnswer } from './left-answer.ts'
import { LiveRedaction } from './live-redaction.ts'
import { type OwnWork, watchOwnWork } from './own-work.ts'
import { planOf } from './plan-of.ts'
import type { Plan } from './plan.ts'
import { RecordedReads } from './recorded-reads.ts'
import { ReplayLog } from './replay-log.ts'
import type { ReplaySettings } from './replay-options.ts'
import { RunActivity } from './run-activity.ts'
import { progressOf } from './run-progress.ts'
import { VirtualTimer, VirtualTimers } from './virtual-timers.ts'

/** A run that is answered from a trace: every boundary asks it, and the conductor answers in the recorded order. */
export class ReplayingRun implements AnsweredRun, Conducted {
  readonly mode = 'replay'
  // Its context never counts as outside: what a replayed run leaves running must not reach the world.
  readonly closed = false
  readonly id: string
  readonly traceId: string
  readonly environment: Map<string, string | null>
  readonly locale: string
  readonly calls: LiveCalls
  readonly checkpoints: LiveCheckpoint[] = []
  /** The same, with the stand-ins that the replay made. */
  readonly madeCheckpoints: LiveCheckpoint[] = []
  /** The same, each as it was recorded where it holds to that, with how many calls had settled. */
  readonly hashedCheckpoints: { readonly checkpoint: LiveCheckpoint; readonly settled: number }[] = []
  readonly findings: Findings
  readonly conductor: Conductor
  readonly log: ReplayLog
  finished = false
  /** When it did, in virtual milliseconds since the run started. */
  endedAt: number | undefined
  /** Recorded completions were released while work of the run's own was under way: which comes first is not the recording's to say. */
  racedOwnWork = false
  /** Called when something reaches the run from outside. */
  onSignal: ((name: string, value: unknown) => void) | undefined
  readonly #settings: ReplaySettings
  readonly mutes: (url: string) => boolean
  readonly #ambient: AmbientCalls
  readonly plan: Plan
  readonly incident: IncidentWatch | undefined
  readonly reads: RecordedReads
  readonly draws: RunDraws
  readonly #draws: AnsweredDraws
  readonly #timers: VirtualTimers
  readonly redaction: LiveRedaction
  readonly #side: LiveSide
  readonly #judge: CallJudge
  readonly live: AnsweredRun['live']
  readonly #activity: RunActivity
  readonly #ownWork: OwnWork
  readonly #onOver: () => void
  #isOver = false
  #outcome: { readonly output: unknown } | { readonly error: unknown } | undefined

  /** @param onOver Called when nothing can happen in the replay any more. */
  constructor(trace: Trace, settings: ReplaySettings, onOver: () => void) {
    const { header } = trace
    ;[this.id, this.traceId, this.locale] = [header.id, header.traceId, header.runtime.locale]
    this.environment = new Map(Object.entries(header.runtime.env).filter(([name]) => !isMachineVariable(name)))
    const muted = [...settings.mute, ...(header.muted ?? [])]
    this.mutes = remember((url) => isHostOf(url, muted))
    this.#settings = settings
    this.redaction = new LiveRedaction(trace, settings.redact)
    this.#side = { redaction: this.redaction, rules: settings.rules, headers: header.compareHeaders }
    this.#ambient = new AmbientCalls(trace, settings.ambient, settings.rules, this.redaction.renaming)
    this.#onOver = onOver
    this.plan = planOf(
      trace,
      (call) => this.#ambient.includes(call.name) || isMutedCall(call, this.mutes) || isOfHost(call, settings.live),
      (call) => this.#runsFunction(call),
    )
    this.#activity = new RunActivity(this.plan, this.#wake)
    this.live = this.#activity.contactsWith(settings.live)
    const { seed = '', ahead = 0 } = settings.chance ?? {}
    this.reads = new RecordedReads(this.plan.reads, Date.parse(header.startedAt), `${header.id}${seed}`, ahead)
    this.log = new ReplayLog(
      Date.parse(header.startedAt),
      () => this.conductor.now,
      () => this.stopped,
    )
    const progress = progressOf(this)
    this.calls = new LiveCalls(trace.steps, progress, (delivery) => this.log.follow(delivery))
    this.#timers = new VirtualTimers(progress)
    this.#draws = new AnsweredDraws(this.reads, progress, this.log)
    this.conductor = new Conductor(this.plan, this.#timers, this)
    this.draws = drawsOf(trace, this.plan, this.#draws.made)
    this.findings = new Findings(this.plan, this.conductor, settings, this.redaction, this)
    this.incident = watchIncident(trace, this.plan, settings)
    const { plan, conductor, findings, redaction, draws, incident } = this
    const busy = (): (() => void) => this.busy()
    this.#judge = new CallJudge({ plan, conductor, findings, settings, redaction, draws, busy, incident })
    this.#ownWork = watchOwnWork(this)
  }

  get rules(): PathRules {
    return this.#settings.rules
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
  finish(outcome: { readonly output: unknown } | { readonly error: unknown } | undefined): void {
    this.finished = true
    ;[this.#outcome, this.endedAt] = [outcome, this.conductor.now]
    this.findings.end(this.racedOwnWork)
    this.log.ends()
    this.conductor.wake()
  }

  /** What the agent returned is compared before what it left behind changes it. */
  passEnd(): void {
    if (this.#outcome !== undefined) this.findings.settle(this.#outcome)
  }

  // Flags and notes are for the person who reads the recording. What a recorder takes by its policy is not compared.
  flag(): void {}
  note(): void {}
  readState(): void {}

  checkpoint(owner: number, called: string, state: unknown): void {
    if (this.#isOver) return
    const name = this.redaction.nameOf(called)
    const made = { owner: this.calls.recordedOwner(owner), name, state: this.redaction.unrenamed.toRead(state), at: this.conductor.now }
    this.madeCheckpoints.push(made)
    const reached = { ...made, state: this.redaction.renamed(made.state) }
    const recorded = this.findings.checkpoint(reached, this.calls)
    const kept = { ...reached, state: this.redaction.renamed(reached.state) }
    this.checkpoints.push(kept)
    this.log.checkpoint(kept)
    this.hashedCheckpoints.push({ checkpoint: recorded ?? kept, settled: this.calls.settled.length })
  }

  callFunction(call: FunctionCall, invoke: () => unknown): unknown {
    const delivery = new FunctionDelivery(call.errors, call.result)
    const substitute = call.boundary === 'tool' ? this.#settings.substitutes.get(call.name) : undefined
    const runs = substitute !== undefined || this.#runsFunction(call)
    const input = new FunctionInput(call.boundary, call.name, call.input, this.#side)
    const live = this.#add({ ...call, name: this.redaction.nameOf(call.name), delivery, runs, input, isLate: this.finished })
    this.#hear(live)
    if (runs && (this.ended || this.#judge.isFlooded)) return new Promise(() => undefined)
    if (runs)
      return delivery.follow(() =>
        runInScope({ run: this, owner: live.number }, substitute === undefined ? invoke : () => substitute(call.input)),
      )
    const settled = live.planned?.settled
    return settled?.sync === true ? delivery.settleNow(settled) : delivery.promise
  }

  answerExchange(start: ExchangeStart, body: RequestBody, sink: AnswerSink): AnsweredExchange {
    const { owner, method, url } = start
    if (this.mutes(url)) return answerMuted(this, sink)
    const dialect = recogniseDialect(method, url)
    const boundary = dialect === undefined ? 'http' : 'model'
    const name = dialect ?? this.redaction.nameOf(hostOf(url).host)
    const delivery = new HttpDelivery(sink)
    const input = body instanceof Promise ? undefined : readExchange(start, boundary, name, body, this.#side)
    const live = this.#add({ owner, boundary, name, delivery, runs: false, input, isLate: this.finished })
    if (body instanceof Promise) this.#send(live, start, body, sink)
    else this.#hear(live)
    // What an agent lets go of once it has returned is in no recording.
    return { stop: () => (this.finished ? undefined : leaveAnswer(live, delivery, this.findings)) }
  }

  /** A call whose body has yet to be read. */
  #send(live: LiveCall, start: ExchangeStart, body: Promise<Uint8Array | undefined>, sink: AnswerSink): void {
    live.trail = captureTrail()
    const arrive = async (): Promise<void> => {
      live.input = readExchange(start, live.boundary, live.name, await body, this.#side)
      this.#hear(live)
    }
    void this.#activity.send(live, arrive, sink.cutBody?.bind(sink)).catch((error: unknown) => sink.fail(error))
  }

  refuseContact(_owner: number, door: string, host: string): Error {
    this.#judge.countRefusal()
    this.log.contact(`${door} ${host}`)
    return this.findings.contact({ door, host })
  }

  busy(): () => void {
    return this.#activity.work()
  }

  waitsForTurn(): () => void {
    return this.#activity.turn()
  }

  activity(): Activity {
    return this.#ownWork.isUnderWay() ? 'working' : this.#activity.now(this.finished)
  }

  /** What a run that never ended was waiting for. */
  waitsFor(): string[] {
    return describeWaiting({ calls: this.calls.all, timers: this.#timers.waiting, activity: this.#activity.now(this.finished) })
  }

  isArriving(step: number): boolean {
    return this.#activity.isArriving(step)
  }

  startTimer(owner: number, delay: number, repeats: boolean, fire: () => void): RunTimer {
    this.conductor.wake()
    return new VirtualTimer(this.#timers, owner, delay, repeats, fire, this.log)
  }

  signal(name: string, value: unknown): void {
    this.log.signal(name, value)
    this.onSignal?.(name, value)
  }

  releases(): void {
    this.racedOwnWork ||= this.#ownWork.isUnderWay()
  }

  settleCalls(): boolean {
    return this.#judge.decide()
  }

  settleEarlyCalls(): boolean {
    return this.#judge.decideEarly()
  }

  cutBodies(): boolean {
    return this.#activity.cutBodies()
  }

  over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#ownWork.stop()
    this.#onOver()
  }

  readonly readClock = (owner: number): number => this.#draws.clock(owner)
  readonly readMonotonic = (owner: number): number => this.#draws.monotonic(owner)
  readonly readRandom = (owner: number): number => this.#draws.random(owner)
  readonly readUuid = (owner: number): string => this.#draws.uuid(owner)
  readonly readBytes = (owner: number, size: number): Uint8Array => this.#draws.bytes(owner, size)
  readonly #wake = (): void => this.conductor.wake()

  #add(start: CallStart): LiveCall {
    if (this.#ambient.includes(start.name)) return this.calls.make(start)
    const call = this.calls.add(start, this.#wake)
    this.log.called(call)
    return call
  }

  /** An ambient call is answered in the next turn of the event loop, whatever the trace has then; any other goes before the judge. */
  #hear(call: LiveCall): void {
    const answer = this.#ambient.includes(call.name) ? this.#ambient.answerTo(call) : undefined
    if (answer === undefined) return this.#judge.hear(call)
    answerInNextTurn(this, () => call.delivery.answer(answer.value))
  }

  #runsFunction({ boundary, name }: Pick<CallStart, 'boundary' | 'name'>): boolean {
    return boundary === 'tool' && this.#settings.running(name)
  }
}
