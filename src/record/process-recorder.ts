import type { ConnectionSink, EndedConnection } from '../run/connections.ts'
import { type CapturedProcess, type EndedProcess, type EndedRpc, inputOf, type ProcessStart } from '../run/processes.ts'
import type { RowRecorder } from './row-recorder.ts'

/** Records what one child process does, what one call of gRPC is answered, or what arrives over one connection, before the agent sees it. */
export class ProcessRecorder implements CapturedProcess, ConnectionSink {
  readonly #run: RowRecorder
  readonly #step: number
  #hasSettled = false

  /** Writes the `call` row, before the process is started. */
  constructor(run: RowRecorder, step: number, start: ProcessStart) {
    const { owner, name, limit } = start
    this.#run = run
    this.#step = step
    const input = inputOf(start, run.compareHeaders)
    const limited = limit === undefined ? {} : { limit }
    run.push({ kind: 'call', step, owner, boundary: 'external', name, ...limited, input: run.keep(input, `${name} input`), at: run.at() })
    run.sideEffects.calls(step, owner, undefined)
  }

  output(stream: string | undefined, bytes: Uint8Array): void {
    const run = this.#run
    run.attempt(() => {
      // The outputs of a process that could not be started end, too.
      if (this.#hasSettled) return
      const mark = run.ticks.complete()
      run.take({ kind: 'output', step: this.#step, at: run.at(), ...(stream === undefined ? {} : { stream }), ...mark }, bytes)
    })
  }

  close(ended: EndedProcess | EndedRpc | EndedConnection): void {
    const run = this.#run
    run.attempt(() => {
      if (this.#settles()) return
      const mark = run.ticks.complete()
      const output = run.keep(ended, `step ${this.#step} output`)
      run.take({ kind: 'settled', row: { kind: 'return', step: this.#step, at: run.at(), output, ...mark } })
    })
  }

  opensSession(): void {
    const run = this.#run
    run.attempt(() => {
      this.#hasSettled = true
      run.take({ kind: 'settled', row: { kind: 'return', step: this.#step, at: run.at(), output: { session: 'mcp' }, sync: true } })
    })
  }

  fail(error: unknown): void {
    const run = this.#run
    run.attempt(() => {
      if (this.#settles()) return
      const kept = run.keepError(error, `step ${this.#step} error`)
      // Node knows at once that it has not started it.
      run.take({ kind: 'settled', row: { kind: 'throw', step: this.#step, at: run.at(), error: kept, sync: true } })
    })
  }

  breaks(error: unknown): void {
    const run = this.#run
    run.attempt(() => {
      if (this.#settles()) return
      const mark = run.ticks.complete()
      const kept = run.keepError(error, `step ${this.#step} error`)
      run.take({ kind: 'settled', row: { kind: 'throw', step: this.#step, at: run.at(), error: kept, ...mark } })
    })
  }

  /** Whether it had settled: one that could not be started is closed, too. */
  #settles(): boolean {
    const hasSettled = this.#hasSettled
    this.#hasSettled = true
    return hasSettled
  }
}

/** Stands in for a process of which nothing is recorded. */
export const unrecordedProcess: CapturedProcess & ConnectionSink = {
  output: () => undefined,
  close: () => undefined,
  opensSession: () => undefined,
  fail: () => undefined,
  breaks: () => undefined,
}
