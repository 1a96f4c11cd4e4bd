import { isHostOf } from '../boundaries/http/muted-hosts.ts'
import { realTimers } from '../boundaries/timer/real-timers.ts'
import type { NormalUsage } from '../models/dialect.ts'
import { recogniseDialect } from '../models/dialects.ts'
import { sumUsage } from '../models/usage.ts'
import type { CapturedExchange, ExchangeStart, FunctionCall, RecordedRun, RunTimer } from '../run/active-run.ts'
import { runInScope } from '../run/scope.ts'
import { toRecordedError } from '../trace/recorded-error.ts'
import type { AmbientAnswer, CallRow, InTick, RecordedError, Row, RunRow, Usage } from '../trace/rows.ts'
import { fromRecorded, toRecorded } from '../trace/values.ts'
import type { AmbientAnswers } from './ambient-answers.ts'
import { ExchangeRecorder } from './exchange-recorder.ts'
import { ReadBuffer } from './read-buffer.ts'
import type { Redactor } from './redaction/redactor.ts'
import { RecordedTimer } from './recorded-timer.ts'
import { RowQueue } from './row-queue.ts'
import type { RowRecorder } from './row-recorder.ts'
import { SideEffects } from './side-effects.ts'
import { TickCounter } from './tick-counter.ts'

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
  #steps = 0
  closed = false
  readonly #writer: RowWriter
  readonly #redactor: Redactor
  readonly #queue: RowQueue
  readonly #muted: readonly string[]
  readonly #ambient: AmbientAnswers
  readonly #reads: ReadBuffer
  readonly #sideEffects = new SideEffects()
  readonly #startedAt: number
  readonly #ticks = new TickCounter()
  readonly #timers = new Map<string, number>()
  #timersTick = -1
  #usage: Usage = { inputTokens: 0, outputTokens: 0 }

  constructor(header: RunRow, writer: RowWriter, redactor: Redactor, { muted, ambient }: RecordingPolicy) {
    this.#muted = muted
    this.#ambient = ambient
    this.id = header.id
    this.traceId = header.traceId
    this.#writer = writer
    this.#redactor = redactor
    this.#queue = new RowQueue((row) => writer.write(row))
    this.#reads = new ReadBuffer(Date.parse(header.startedAt))
    this.#startedAt = realTimers.now()
    this.#queue.push({ ...header, input: this.keep(header.input, 'input') })
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
    return fromRecorded(this.#redactor.value(recorded))
  }

  keepError(error: unknown, where: string): RecordedError {
    return this.#keepRecordedError(toRecordedError(error), where)
  }

  redactValue<Value>(value: Value): Value {
    return this.#redactor.value(value)
  }

  redactText(text: string): string {
    return this.#redactor.text(text)
  }

  push(row: Row): void {
    if (this.closed) return
    for (const reads of this.#reads.take()) this.#queue.push({ ...reads, ...(reads.uuid && { uuid: this.#redactor.value(reads.uuid) }) })
    this.#queue.push(row)
  }

  reserve(): (row: Row) => void {
    for (const reads of this.#reads.take()) this.#queue.push(reads)
    return this.#queue.reserve()
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
    this.note('flagged', this.#redactor.text(reason))
  }

  note(what: string, where: string): void {
    this.push({ kind: 'note', what, where, at: this.at() })
  }

  /** Something reached the run from outside. */
  signal(name: string, value: unknown): void {
    const mark = this.completion()
    this.push({ kind: 'signal', name, value: this.keep(value, `signal ${name}`), at: this.at(), ...mark })
  }

  checkpoint(owner: number, name: string, state: unknown): void {
    this.push({ kind: 'checkpoint', owner, name, state: this.keep(state, `checkpoint ${name}`), at: this.at() })
  }

  callFunction(call: FunctionCall, invoke: () => unknown): unknown {
    const started = this.#startFunction(call)
    let result: unknown
    try {
      result = runInScope({ run: this, owner: started.step }, invoke)
    } catch (error) {
      this.#settle(started, { error }, true)
      throw error
    }
    if (!isThenable(result)) {
      this.#settle(started, { output: result }, true)
      return result
    }
    return result.then(
      (output) => {
        this.#settle(started, { output }, false)
        return output
      },
      (error: unknown) => {
        this.#settle(started, { error }, false)
        throw error
      },
    )
  }

  captureExchange(start: ExchangeStart): CapturedExchange {
    this.#steps += 1
    return new ExchangeRecorder(this, this.#steps, start, recogniseDialect(start.method, start.url))
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
    this.#reads.bytes(owner, value.slice())
    return value
  }

  startTimer(owner: number, delay: number, repeats: boolean, fire: () => void): RunTimer {
    return new RecordedTimer(this, owner, delay, repeats, fire)
  }

  keepAmbient(answer: AmbientAnswer): void {
    this.#ambient.keep(answer)
  }

  isAmbient(name: string): boolean {
    return this.#ambient.names.includes(name)
  }

  countUsage(usage: NormalUsage | undefined): void {
    this.#usage = sumUsage([this.#usage, usage])
  }

  countTimer(owner: number, delay: number): number {
    if (this.#timersTick !== this.#ticks.count) {
      this.#timersTick = this.#ticks.count
      this.#timers.clear()
    }
    const key = `${owner} ${delay}`
    const occurrence = (this.#timers.get(key) ?? 0) + 1
    this.#timers.set(key, occurrence)
    return occurrence
  }

  flush(): void {
    this.#writer.flush()
  }

  /** Writes the last row. */
  end(outcome: { readonly output: unknown } | { readonly error: unknown }): void {
    if (this.closed) return
    const kept = 'error' in outcome ? { error: this.keepError(outcome.error, 'error') } : { output: this.keep(outcome.output, 'output') }
    this.push({ kind: 'end', ...kept, at: this.at(), usage: this.#usage })
    this.closed = true
    this.#queue.close()
    this.#writer.flush()
  }

  #keepRecordedError(error: RecordedError, where: string): RecordedError {
    const { cause, fields } = error
    return {
      ...error,
      message: this.#redactor.text(error.message),
      ...(cause === undefined ? {} : { cause: this.#keepRecordedError(cause, `${where}.cause`) }),
      ...(fields === undefined ? {} : { fields: this.keep(fields, where) as Record<string, unknown> }),
      ...('value' in error ? { value: this.keep(error.value, where) } : {}),
    }
  }

  #startFunction(call: FunctionCall): CallRow {
    this.#steps += 1
    const step = this.#steps
    const { owner, boundary, name, effect, idempotencyKey } = call
    const input = this.keep(call.input, `${name} input`)
    const key = idempotencyKey === undefined ? undefined : this.#redactor.text(idempotencyKey)
    const row: CallRow = {
      kind: 'call',
      step,
      owner,
      boundary,
      name,
      ...(effect === undefined ? {} : { effect }),
      ...(key === undefined ? {} : { idempotencyKey: key }),
      input,
      at: this.at(),
    }
    this.push(row)
    if (effect === 'write') {
      this.countSideEffect(step, name, key ?? JSON.stringify(input))
      this.#writer.flush()
    }
    return row
  }

  #settle({ step, boundary, name, input }: CallRow, outcome: { readonly output: unknown } | { readonly error: unknown }, sync: boolean): void {
    if (this.closed) return
    const kept =
      'error' in outcome
        ? ({ kind: 'throw', error: this.keepError(outcome.error, `step ${step} error`) } as const)
        : ({ kind: 'return', output: this.keep(outcome.output, `step ${step} output`) } as const)
    if (kept.kind === 'return' && this.isAmbient(name)) this.keepAmbient({ boundary, name, input, output: kept.output })
    const mark = sync ? ({ sync: true } as const) : this.completion()
    this.push({ ...kept, step, at: this.at(), ...mark })
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
