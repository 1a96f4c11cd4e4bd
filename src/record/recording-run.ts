import { types } from 'node:util'
import type { JudgedRequest } from '../http/telemetry/judge-telemetry.ts'
import { recogniseDialect } from '../models/recognise-dialect.ts'
import { AgentTurns } from '../run/agent-turns.ts'
import type { CapturedExchange, ExchangeStart, FunctionCall, RecordedRun, RunTimer } from '../run/active-run.ts'
import type { ConnectionSink, ConnectionStart } from '../run/connections.ts'
import type { CapturedProcess, ProcessStart } from '../run/processes.ts'
import { isThenable } from '../run/is-thenable.ts'
import { runInScope } from '../run/scope.ts'
import type { Preamble } from '../run/sessions.ts'
import type { CallRow, EndRow, InTick, RecordedError, Settled, WatchEnd } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import { mapError, toRecordedError } from '../trace/recorded-error.ts'
import { toRecorded, toRecordedOutput } from '../trace/values.ts'
import type { AmbientAnswers } from './ambient-answers.ts'
import { PolicyCheckpoints } from './checkpoints/policy-checkpoints.ts'
import { ExchangeRecorder } from './exchange-recorder.ts'
import { followResult } from './follow-result.ts'
import { FunctionRecorder } from './function-recorder.ts'
import { LeftWork } from './left-work.ts'
import { MutedRequests } from './muted-requests.ts'
import type { RawBody, RawEntry, RawRow, RawSink } from './raw/raw-entry.ts'
import { ProcessRecorder, unrecordedProcess } from './process-recorder.ts'
import { ReadBuffer } from './read-buffer.ts'
import { RecordedTimer } from './recorded-timer.ts'
import type { RecordingPolicy } from './recording-policy.ts'
import type { RowRecorder } from './row-recorder.ts'
import { ResentTexts } from './resent-texts.ts'
import { type ExceededLimit, watchLimits } from './run-limits.ts'
import { SharedCalls } from './shared-calls.ts'
import { SideEffectWatch } from './side-effect-watch.ts'
import { Stopwatch } from './stopwatch.ts'
import { TickCounter } from './tick-counter.ts'
import { unrecordedExchange } from './unrecorded-exchange.ts'

/** A run that is being recorded. Every boundary reports to it, and it hands the events over unchanged, in order. */
export class RecordingRun implements RecordedRun, RowRecorder {
  readonly mode = 'record'
  readonly id: string
  readonly traceId: string
  readonly flags: string[] = []
  readonly compareHeaders: readonly string[]
  readonly files: RecordedRun['files']
  readonly #muted: MutedRequests
  #steps = 0
  closed = false
  /** The failure of the recording; the run continued without it. */
  failure: { readonly error: unknown } | undefined
  readonly #sink: RawSink
  readonly #exceededLimit: ExceededLimit
  readonly #reads = new ReadBuffer()
  readonly #texts = new ResentTexts()
  readonly sideEffects: SideEffectWatch
  readonly #time = new Stopwatch()
  readonly #policy: RecordingPolicy
  readonly ambient: AmbientAnswers
  readonly #checkpoints: PolicyCheckpoints | undefined
  readonly turns: AgentTurns = new AgentTurns()
  readonly ticks: TickCounter = new TickCounter(this.turns)
  readonly #shared = new SharedCalls(this)
  readonly left: LeftWork
  given: Pick<EndRow, 'given'> | undefined // What it has handed out piece by piece.

  /** @param sink Has already received the header. */
  constructor(header: RunRow, sink: RawSink, policy: RecordingPolicy) {
    const { limits, checkpoints } = policy
    this.#policy = policy
    this.#exceededLimit = watchLimits(limits, sink, this.#time)
    this.left = new LeftWork(limits.lateBytes, this.turns)
    this.#muted = new MutedRequests(policy)
    this.ambient = policy.ambient
    this.id = header.id
    this.traceId = header.traceId
    this.compareHeaders = header.compareHeaders ?? []
    this.sideEffects = new SideEffectWatch(header.effects, (step, first, name) => this.#noteRepeated(step, first, name))
    this.files = header.files
    this.#sink = sink
    this.#checkpoints =
      checkpoints &&
      new PolicyCheckpoints(
        checkpoints,
        (owner, name, state) => this.#policyCheckpoint(owner, name, state),
        (what, where) => this.note(what, where),
      )
  }

  readonly at = (): number => this.#time.read()
  /** A value in recorded form, as it is now. */
  readonly keep = (value: unknown, where: string): unknown => toRecorded(value, this.#noteUnkept(where))
  readonly keepOutput = (value: unknown, where: string): unknown => toRecordedOutput(value, this.#noteUnkept(where))
  readonly keepError = (error: unknown, where: string): RecordedError => mapError(toRecordedError(error), this.keep, undefined, where)

  readonly #noteUnkept =
    (where: string) =>
    (path: string, why: string): void =>
      this.note('unkept-value', `${where}${path.slice(1)}: ${why}`)

  readonly push = (row: RawRow): void => this.take({ kind: 'row', row })

  /** Repeats the body of `attempt`: a closure for each piece of an answer is not free. */
  take(entry: RawEntry, body?: RawBody): void {
    if (this.closed) return
    try {
      this.left.follow(entry, body, this.#time.last)
      if (this.left.isFull) return this.#overflow(entry)
      if (entry.kind === 'piece') this.#checkpoints?.receives(body?.length ?? 0)
      const limit = this.#exceededLimit(entry, body, this.#steps)
      if (limit !== undefined) return this.#cutFor(limit)
      this.#shared.follow(entry)
      if (entry.kind !== 'sent' || this.#policy.standsInForDraws) this.#pushReads()
      this.#sink.take(entry, typeof body === 'string' ? this.#texts.recognise(body) : body)
      this.left.followed(entry)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Notes the first entry beyond the limit. */
  #overflow(entry: RawEntry): void {
    const where = this.left.firstBeyond(entry)
    if (where !== undefined) this.#sink.take({ kind: 'row', row: { kind: 'note', what: 'late-call', where, at: this.at() } })
    this.left.onEnd?.()
  }

  /** A recording has no gaps: it ends where something cannot be kept. */
  #cutFor(limit: string): void {
    this.#sink.take({ kind: 'row', row: { kind: 'note', what: 'cut', where: `limits.${limit}`, at: this.at() } })
    this.closed = true
    this.#policy.onCut(this.id)
    this.left.onEnd?.()
  }

  #pushReads(): void {
    for (const reads of this.#reads.take()) this.#sink.take(reads)
  }

  /** Notes a side effect that the run has already made once. */
  #noteRepeated(step: number, first: number, name: string): void {
    this.note('repeated-side-effect', `${name}: step ${step} repeats step ${first}`)
    this.flags.push(`repeated side effect: ${name} (steps ${first} and ${step})`)
  }

  flag(reason: string): void {
    this.flags.push(reason)
    this.note('flagged', reason)
  }

  note(what: string, where: string): void {
    this.attempt(() => this.push({ kind: 'note', what, where, at: this.at() }))
  }

  /** Records a signal from outside. @param mark The mark relative to what reached the run before the signal began; it is not a tick of the run. */
  signal(name: string, value: unknown, mark: InTick = this.ticks.complete()): void {
    this.attempt(() => this.push({ kind: 'signal', name, value: this.keep(value, `signal ${name}`), at: this.at(), ...mark }))
  }

  preamble(preamble: Preamble): void {
    this.attempt(() => this.push({ kind: 'preamble', value: this.keep(preamble, 'preamble'), at: this.at() }))
  }

  checkpoint(owner: number, name: string, state: unknown): void {
    this.attempt(() => this.push({ kind: 'checkpoint', owner, name, state: this.keep(state, `checkpoint ${name}`), at: this.at() }))
  }

  /** Returns the length of the state's JSON. */
  #policyCheckpoint(owner: number, name: string, state: unknown): number {
    const kept = this.keep(state, `checkpoint ${name}`)
    this.push({ kind: 'checkpoint', owner, name, by: 'policy', state: kept, at: this.at() })
    return JSON.stringify(kept)?.length ?? 0
  }

  readState(read: () => unknown): void {
    this.#checkpoints?.register(read)
  }

  callFunction(call: FunctionCall, invoke: () => unknown): unknown {
    this.#steps += 1
    if (!this.left.isLate) this.attempt(() => this.#checkpoints?.beforeStep(call.owner, call))
    const recorder = this.attempt(() => new FunctionRecorder(this, this.#steps, call))
    if (recorder === undefined) return invoke()
    const body = (): unknown => runInScope({ run: this, owner: recorder.call.step }, invoke)
    return followResult(
      () => (this.#policy.telemetry === undefined ? body() : this.#policy.telemetry.inStep(recorder.call, body)),
      (outcome, sync) => {
        this.attempt(() => recorder.settle(outcome, sync))
        this.#checkpoints?.afterCall(call.owner, call.name)
      },
      call.result === undefined ? isThenable : types.isPromise,
    )
  }

  readonly mutes = (request: JudgedRequest): boolean => this.#muted.includes(request)
  readonly countMuted = (): void => this.#muted.count()
  readonly captureExchange = (start: ExchangeStart): CapturedExchange => this.#muted.capture(start, this.#captureExchange)

  readonly #captureExchange = (start: ExchangeStart): CapturedExchange => {
    this.#steps += 1
    if (!this.left.isLate) this.attempt(() => this.#checkpoints?.beforeStep(start.owner))
    this.#policy.telemetry?.startsExchange(this.#steps, start.owner)
    const exchange = this.attempt(() => new ExchangeRecorder(this, this.#steps, start, recogniseDialect(start.method, start.url)))
    return exchange ?? unrecordedExchange
  }

  captureProcess(start: ProcessStart): CapturedProcess & ConnectionSink {
    this.#steps += 1
    if (!this.left.isLate) this.attempt(() => this.#checkpoints?.beforeStep(start.owner))
    return this.attempt(() => new ProcessRecorder(this, this.#steps, start)) ?? unrecordedProcess
  }

  readonly captureConnection = (start: ConnectionStart): ConnectionSink => this.captureProcess(start)

  readClock(owner: number, real: () => number): number {
    return this.#drew(owner, 'clock', real())
  }

  readMonotonic(owner: number, real: () => number): number {
    return this.#drew(owner, 'monotonic', real())
  }

  readRandom(owner: number, real: () => number): number {
    return this.#drew(owner, 'random', real())
  }

  readUuid(owner: number, real: () => string): string {
    const value = real()
    this.#reads.of(owner).uuid.push(value)
    return value
  }

  #drew(owner: number, kind: 'clock' | 'monotonic' | 'random', value: number): number {
    this.#reads.of(owner)[kind].push(value)
    return value
  }

  readBytes(owner: number, _size: number, real: () => Uint8Array): Uint8Array {
    const value = real()
    this.attempt(() => this.#reads.of(owner).bytes.push(value.slice()))
    return value
  }

  readFact(owner: number, name: string, real: () => unknown): unknown {
    const value = real()
    this.attempt(() => this.#reads.of(owner).facts.push({ name, value: this.keepOutput(value, name) }))
    return value
  }

  readonly startTimer = (owner: number, delay: number, repeats: boolean, fire: () => void): RunTimer =>
    new RecordedTimer(this, owner, delay, repeats, fire)

  announce(call: CallRow): void {
    if (this.closed || this.#sink.announce(call)) return
    this.note('unwritten-call', `${call.name}: step ${call.step} was sent before its call was written`)
  }

  /** Writes how the run settled. Work that it left behind may follow. */
  end(outcome: Settled): void {
    this.attempt(() => {
      this.#checkpoints?.end()
      const kept = 'error' in outcome ? { error: this.keepError(outcome.error, 'error') } : { output: this.keep(outcome.output, 'output') }
      const at = this.at()
      this.push({ kind: 'end', ...kept, at, ...this.left.overdueAt(at), ...this.given })
      this.left.endedAt = at
    })
  }

  /** Writes everything handed over up to the end; the recording stays open. */
  readonly writeEnd = (): void => void this.attempt(() => this.#sink.flush())

  /** Writes the last row. @param until Until when the run was watched, in milliseconds since it started. @param by What ended the watch. */
  close(until: number, by: WatchEnd): void {
    this.attempt(() => {
      this.push({ kind: 'closed', until, by, ...this.left.overdueAt(until), ...this.ticks.awaitedTurns, ...this.#muted.inRow })
      this.closed = true
    })
  }

  /** Ends the recording before the run ends: nothing that happens from now on is recorded. */
  cut(): void {
    this.attempt(() => {
      this.#pushReads()
      this.closed = true
    })
  }

  attempt<Result>(record: () => Result): Result | undefined {
    if (this.closed) return undefined
    try {
      return record()
    } catch (error) {
      return this.#fail(error)
    }
  }

  #fail(error: unknown): undefined {
    this.failure ??= { error }
    this.closed = true
    this.left.onEnd?.()
  }
}
