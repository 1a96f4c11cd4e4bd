import type { EndedProcess, ProcessSink } from '../../run/processes.ts'
import { bytesOfBody } from '../../trace/body.ts'
import { toError } from '../../trace/recorded-error.ts'
import type { CompletionRow } from '../../trace/rows.ts'
import { Delivery } from '../calls/replay-call.ts'

/** Delivers what a recorded child process did. */
export class ProcessDelivery extends Delivery {
  /** Released when the call settles. */
  #sink: ProcessSink | undefined

  constructor(sink: ProcessSink) {
    super()
    this.#sink = sink
  }

  override met(): void {
    this.#sink?.start?.()
  }

  protected deliver(row: CompletionRow): void {
    if (row.kind === 'chunk') this.#sink?.output(row.stream, bytesOfBody(row))
    else if (row.kind === 'return') this.#close(row.output as Partial<EndedProcess> | undefined)
    else if (row.kind === 'throw') this.#release()?.fail(toError(row.error))
  }

  /** @param value How it ends, with its outputs as text: `{ code: 0, stdout: 'main' }`; of a call of gRPC, its answer. */
  answer(value: unknown): void {
    if (this.#sink?.answer !== undefined) return this.#answer(value)
    const { stdout, stderr, ...ended } = (value ?? {}) as Partial<EndedProcess> & { readonly stdout?: unknown; readonly stderr?: unknown }
    if (this.call !== undefined) this.call.outcome = { output: value }
    this.#sink?.start?.()
    for (const [stream, text] of [
      [undefined, stdout],
      ['stderr', stderr],
    ] as const)
      if (typeof text === 'string') this.#sink?.output(stream, new TextEncoder().encode(text))
    this.#close({ code: 0, ...ended })
  }

  #answer(value: unknown): void {
    if (this.call !== undefined) this.call.outcome = { output: value }
    this.#release()?.answer?.(value)
  }

  refuse(error: Error): void {
    if (this.#sink !== undefined && this.call !== undefined) this.call.outcome = { error }
    this.#release()?.fail(error)
  }

  #close(ended?: Partial<EndedProcess>): void {
    this.#release()?.close({ code: null, signal: null, ...ended })
  }

  #release(): ProcessSink | undefined {
    const sink = this.#sink
    this.#sink = undefined
    this.settle()
    return sink
  }
}
