import type { EndedProcess, ProcessSink } from '../../run/processes.ts'
import { bytesOfBody } from '../../trace/body.ts'
import { toError } from '../../trace/recorded-error.ts'
import type { CompletionRow } from '../../trace/rows.ts'
import { SinkDelivery } from './sink-delivery.ts'

/** Delivers the recorded events of a child process. */
export class ProcessDelivery extends SinkDelivery<ProcessSink> {
  override met(): void {
    this.sink?.start?.()
  }

  protected deliver(row: CompletionRow): void {
    if (row.kind === 'chunk') this.sink?.output(row.stream, bytesOfBody(row))
    else if (row.kind === 'return') this.#close(row.output as Partial<EndedProcess> | undefined)
    else if (row.kind === 'throw') this.release()?.fail(toError(row.error))
  }

  /** @param value How the process ends, with its outputs as text: `{ code: 0, stdout: 'main' }`; for a gRPC call, its answer. */
  answer(value: unknown): void {
    this.tell({ output: value })
    if (this.sink?.answer !== undefined) return this.release()?.answer?.(value)
    const { stdout, stderr, ...ended } = (value ?? {}) as Partial<EndedProcess> & { readonly stdout?: unknown; readonly stderr?: unknown }
    this.sink?.start?.()
    for (const [stream, text] of [
      [undefined, stdout],
      ['stderr', stderr],
    ] as const)
      if (typeof text === 'string') this.sink?.output(stream, new TextEncoder().encode(text))
    this.#close({ code: 0, ...ended })
  }

  #close(ended?: Partial<EndedProcess>): void {
    this.release()?.close({ code: null, signal: null, ...ended })
  }
}
