import type { ConnectionSink, EndedConnection } from '../run/connections.ts'
import { askedInput, type CapturedProcess, type EndedProcess, type EndedRpc, type ProcessStart } from '../run/processes.ts'
import { FORMAT_VERSION, type RecordedError, type ReturnRow, type ThrowRow } from '../trace/rows.ts'
import type { RowRecorder } from './row-recorder.ts'

/** How a step settles, without the time. */
type Settling = Omit<ReturnRow, 'step' | 'at'> | Omit<ThrowRow, 'step' | 'at'>

/** Records the output of one child process, the answers to one gRPC call, or the data that arrives over one connection, before the agent sees it. */
export class ProcessRecorder implements CapturedProcess, ConnectionSink {
  readonly #run: RowRecorder
  readonly #step: number
  #hasSettled = false

  /** Writes the `call` row before the process is started. */
  constructor(run: RowRecorder, step: number, start: ProcessStart) {
    const { owner, name, limit } = start
    this.#run = run
    this.#step = step
    const { input, credentials } = askedInput(start, { format: FORMAT_VERSION, named: run.compareHeaders })
    const limited = limit === undefined ? {} : { limit }
    const who = credentials.length === 0 ? {} : { credentials }
    const kept = run.keep(input, `${name} input`)
    run.push({ kind: 'call', step, owner, boundary: 'external', name, ...limited, input: kept, ...who, at: run.at() })
    run.sideEffects.calls(step, owner, undefined)
  }

  output(stream: string | undefined, bytes: Uint8Array): void {
    const run = this.#run
    run.attempt(() => {
      // The outputs of a process that could not be started end as well.
      if (this.#hasSettled) return
      const mark = run.ticks.complete()
      run.take({ kind: 'output', step: this.#step, at: run.at(), ...(stream === undefined ? {} : { stream }), ...mark }, bytes)
    })
  }

  close(ended: EndedProcess | EndedRpc | EndedConnection): void {
    this.#settle(() => {
      const mark = this.#run.ticks.complete()
      return { kind: 'return', output: this.#run.keep(ended, `step ${this.#step} output`), ...mark }
    })
  }

  opensSession(): void {
    this.#settle(() => ({ kind: 'return', output: { session: 'mcp' }, sync: true }))
  }

  fail(error: unknown): void {
    // Node knows synchronously that the process did not start.
    this.#settle(() => ({ kind: 'throw', error: this.#keepError(error), sync: true }))
  }

  breaks(error: unknown): void {
    this.#settle(() => {
      const mark = this.#run.ticks.complete()
      return { kind: 'throw', error: this.#keepError(error), ...mark }
    })
  }

  #keepError(error: unknown): RecordedError {
    return this.#run.keepError(error, `step ${this.#step} error`)
  }

  /** Does nothing if the process has already settled: a process that could not be started is closed as well. */
  #settle(settle: () => Settling): void {
    const run = this.#run
    run.attempt(() => {
      if (this.#hasSettled) return
      this.#hasSettled = true
      run.take({ kind: 'settled', row: { ...settle(), step: this.#step, at: run.at() } })
    })
  }
}

/** Used in place of a process that is not recorded. */
export const unrecordedProcess: CapturedProcess & ConnectionSink = {
  output: () => undefined,
  close: () => undefined,
  opensSession: () => undefined,
  fail: () => undefined,
  breaks: () => undefined,
}
