import type { ConnectionSink } from '../../run/connections.ts'
import { bytesOfBody } from '../../trace/body.ts'
import { toError } from '../../trace/recorded-error.ts'
import type { CompletionRow } from '../../trace/rows.ts'
import { SinkDelivery } from './sink-delivery.ts'

/** Delivers what arrived over a recorded connection. */
export class ConnectionDelivery extends SinkDelivery<ConnectionSink> {
  protected deliver(row: CompletionRow): void {
    if (row.kind === 'chunk') this.sink?.output(row.stream ?? 'text', bytesOfBody(row))
    else if (row.kind === 'return') this.release()?.close(row.output ?? {})
    else if (row.kind === 'throw') this.release()?.fail(toError(row.error))
  }

  /** @param value What arrives: a list of texts, or of values that are sent as JSON. Then the connection is closed. */
  answer(value: unknown): void {
    this.tell({ output: value })
    const put = (stream: string, text: string): void => this.sink?.output(stream, new TextEncoder().encode(text))
    put('answer', JSON.stringify({ status: 101, headers: [] }))
    for (const message of Array.isArray(value) ? (value as readonly unknown[]) : [])
      put('text', typeof message === 'string' ? message : JSON.stringify(message))
    this.release()?.close({})
  }
}
