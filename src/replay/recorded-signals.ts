import { withContextSignal } from '../run/context-signals.ts'
import type { Trace } from '../trace/trace.ts'

/** The signals that reached a recorded run: in a replay they stand in the agent's context, and are raised where the trace has them. */
export class RecordedSignals {
  readonly #controllers = new Map<string, AbortController>()

  constructor(trace: Trace) {
    for (const row of trace.rows) if (row.kind === 'signal') this.#controllers.set(row.name, new AbortController())
  }

  placeIn(context: unknown): unknown {
    let placed = context
    for (const [name, { signal }] of this.#controllers) placed = withContextSignal(placed, { name, signal })
    return placed
  }

  abort(name: string, reason: unknown): void {
    this.#controllers.get(name)?.abort(reason)
  }
}
