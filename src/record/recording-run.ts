import { isHostOf } from '../boundaries/http/muted-hosts.ts'
import { realTimers } from '../boundaries/timer/real-timers.ts'
import { recogniseDialect } from '../models/recognise-dialect.ts'
import type { CapturedExchange, ExchangeStart, FunctionCall, RecordedRun, RunTimer } from '../run/active-run.ts'
import { isThenable } from '../run/is-thenable.ts'
import { runInScope } from '../run/scope.ts'
import type { InTick, RecordedError, Row } from '../trace/rows.ts'
import type { AmbientAnswer, RunRow } from '../trace/run-row.ts'
import { fromRecorded, toRecorded } from '../trace/values.ts'
import type { AmbientAnswers } from './ambient-answers.ts'
import { ExchangeRecorder } from './exchange-recorder.ts'
import { failOpen, unrecordedExchange } from './fail-open.ts'
import { type FunctionOutcome, FunctionRecorder } from './function-recorder.ts'
import { keepError } from './keep-error.ts'
import { ReadBuffer } from './read-buffer.ts'
import type { Redactor } from './redaction/redactor.ts'
import { redactHeader } from './redaction/redact-header.ts'
import { RecordedTimer } from './recorded-timer.ts'
import { RowQueue } from './row-queue.ts'
import type { RowRecorder } from './row-recorder.ts'
import { SideEffects } from './side-effects.ts'
import { TickCounter } from './tick-counter.ts'
import { TimerCounter } from './timer-counter.ts'

/** Where a run's rows go: values in them are recorded already, and redacted. */
export interface RowWriter {
  write(row: Row): void
  /** Returns once what was written is with the operating system. */
  flush(): void
}

/** What a recorder was told of calls that are not all recorded alike. */
export interface RecordingPolicy {
  /** Hosts of which nothing is recorded. */
  readonly muted: readonly string[]
  readonly ambient: AmbientAnswers
}

/** A run that is being recorded: every boundary tells it what happens, and it writes rows in that order. */
export class RecordingRun implements RecordedRun, RowRecorder {
  readonly mode = 'record'
  readonly id: string
  readonly traceId: string
  readonly flags: string[] = []
  readonly compareHeaders: readonly string[]
  #steps = 0
  closed = false
  #failure: { readonly error: unknown } | undefined
  readonly #writer: RowWriter
  readonly redactor: Redactor
  readonly #queue: RowQueue
  readonly #muted: readonly string[]
  readonly #ambient: AmbientAnswers
  readonly #reads: ReadBuffer
  readonly #sideEffects = new SideEffects()
  readonly #startedAt: number
  readonly #ticks = new TickCounter()
  readonly #timers = new TimerCounter()
  /** Those under way. */
  readonly #exchanges = new Set<ExchangeRecorder>()

  constructor(header: RunRow, writer: RowWriter, redactor: Redactor, { muted, ambient }: RecordingPolicy) {
    this.#muted = muted
    this.#ambient = ambient
    this.id = header.id
    this.traceId = header.traceId
    this.compareHeaders = header.compareHeaders ?? []
    this.#writer = writer
    this.redactor = redactor
    this.#queue = new RowQueue((row) => this.#write(row))
    this.#reads = new ReadBuffer(Date.parse(header.startedAt))
    this.#startedAt = realTimers.now()
    this.#attempt(() => {
      // The first place is the header's, whatever there is to note about it.
      const fill = this.#queue.reserve()
      // The input before what is said of the run: it may tell what is secret.
      const input = this.keep(header.input, 'input')
      fill({ ...redactHeader(header, redactor), input })
    })
  }

  /** Whether recording failed: the run went on without it. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure
  }

  get tick(): number {
    return this.#ticks.count
  }

  at(): number {
    return Math.round((realTimers.now() - this.#startedAt) * 10) / 10
  }

  /** A value as the trace keeps it: as it is now, and redacted. */
  keep(value: unknown, where: string): unknown {
    const recorded = toRecorded(value, (path, why) => this.note('unkept-value', `${where}${path.slice(1)}: ${why}`))
    return fromRecorded(this.redactor.value(recorded))
  }

  keepError(error: unknown, where: string): RecordedError {
    return keepError(error, where, this)
  }

  push(row: Row): void {
    if (this.closed) return
    this.#pushReads()
    this.#queue.push(row)
  }

  reserve(): (row: Row) => void {
    this.#pushReads()
    return this.#queue.reserve()
  }

  #pushReads(): void {
    for (const reads of this.#reads.take()) this.#queue.push({ ...reads, ...(reads.uuid && { uuid: this.redactor.value(reads.uuid) }) })
  }

  completion(): InTick {
    return this.#ticks.complete()
  }

  /** Notes a side effect that the run has made before. */
  countSideEffect(step: number, name: string, key: string): void {
    const first = this.#sideEffects.count(step, name, key)
    if (first === undefined) return
    this.note('repeated-side-effect', `${name}: step ${step} repeats step ${first}`)
    this.flags.push(`repeated side effect: ${name} (steps ${first} and ${step})`)
  }

  mutes(url: string): boolean {
    return isHostOf(url, this.#muted)
  }

  flag(reason: string): void {
    this.flags.push(reason)
    this.note('flagged', reason)
  }

  note(what: string, where: string): void {
    this.#attempt(() => this.push({ kind: 'note', what, where: this.redactor.text(where), at: this.at() }))
  }

  /** Something reached the run from outside. */
  signal(name: string, value: unknown): void {
    this.#signal(name, value, this.completion())
  }

  /** Something had reached the run before it began: no tick of the run's. */
  signalBefore(name: string, value: unknown): void {
    this.#signal(name, value, { sameTick: true })
  }

  #signal(name: string, value: unknown, mark: InTick): void {
    this.#attempt(() => this.push({ kind: 'signal', name, value: this.keep(value, `signal ${name}`), at: this.at(), ...mark }))
  }

  checkpoint(owner: number, name: string, state: unknown): void {
    this.#attempt(() => this.push({ kind: 'checkpoint', owner, name, state: this.keep(state, `checkpoint ${name}`), at: this.at() }))
  }

  callFunction(call: FunctionCall, invoke: () => unknown): unknown {
    this.#steps += 1
    const recorder = this.#attempt(() => new FunctionRecorder(this, this.#steps, call))
    if (recorder === undefined) return invoke()
    const settle = (outcome: FunctionOutcome, sync: boolean): void => this.#attempt(() => recorder.settle(outcome, sync))
    let result: unknown
    try {
      result = runInScope({ run: this, owner: recorder.step }, invoke)
    } catch (error) {
      settle({ error }, true)
      throw error
    }
    if (!isThenable(result)) {
      settle({ output: result }, true)
      return result
    }
    return result.then(
      (output) => {
        settle({ output }, false)
        return output
      },
      (error: unknown) => {
        settle({ error }, false)
        throw error
      },
    )
  }

  captureExchange(start: ExchangeStart): CapturedExchange {
    this.#steps += 1
    const attempt = this.#attempt.bind(this)
    const exchange = attempt((): ExchangeRecorder => {
      const dialect = recogniseDialect(start.method, start.url)
      const recorder: ExchangeRecorder = new ExchangeRecorder(this, this.#steps, start, dialect, () => this.#exchanges.delete(recorder))
      this.#exchanges.add(recorder)
      return recorder
    })
    return exchange === undefined ? unrecordedExchange : failOpen(exchange, attempt)
  }

  readClock(owner: number, real: () => number): number {
    const value = real()
    this.#reads.clock(owner, value)
    return value
  }

  readMonotonic(owner: number, real: () => number): number {
    const value = real()
    this.#reads.monotonic(owner, value)
    return value
  }

  readRandom(owner: number, real: () => number): number {
    const value = real()
    this.#reads.random(owner, value)
    return value
  }

  readUuid(owner: number, real: () => string): string {
    const value = real()
    this.#reads.uuid(owner, value)
    return value
  }

  readBytes(owner: number, _size: number, real: () => Uint8Array): Uint8Array {
    const value = real()
    this.#attempt(() => this.#reads.bytes(owner, this.redactor.draw(value.slice())))
    return value
  }

  startTimer(owner: number, delay: number, repeats: boolean, fire: () => void): RunTimer {
    return new RecordedTimer(this, owner, delay, repeats, fire)
  }

  keepAmbient(answer: AmbientAnswer): void {
    this.#ambient.keep(answer, this)
  }

  isAmbient(name: string): boolean {
    return this.#ambient.names.includes(name)
  }

  countTimer(owner: number, delay: number): number {
    return this.#timers.count(this.#ticks.count, owner, delay)
  }

  flush(): void {
    this.#attempt(() => this.#writer.flush())
  }

  /** Writes the last row. */
  end(outcome: { readonly output: unknown } | { readonly error: unknown }): void {
    this.#attempt(() => {
      const kept = 'error' in outcome ? { error: this.keepError(outcome.error, 'error') } : { output: this.keep(outcome.output, 'output') }
      this.push({ kind: 'end', ...kept, at: this.at() })
      this.#close()
    })
  }

  /** Ends the recording before the run: what happens from now on is not part of it. */
  cut(): void {
    this.#attempt(() => this.#close())
  }

  #close(): void {
    for (const exchange of this.#exchanges) exchange.flush()
    this.#queue.close()
    this.#writer.flush()
    this.closed = true
  }

  #write(row: Row): void {
    this.#attempt(() => this.#writer.write(row))
  }

  /** Recording must not hurt the run: what fails in it ends the recording, and the run goes on. */
  #attempt<Result>(record: () => Result): Result | undefined {
    if (this.closed) return undefined
    try {
      return record()
    } catch (error) {
      this.#failure ??= { error }
      this.closed = true
      return undefined
    }
  }
}
