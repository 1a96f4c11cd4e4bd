import { isContextSignal, withContextSignal } from '../../run/context-signals.ts'
import type { SignalRow } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'

/** The signals that reached a recorded run. A replay puts them in the agent's context and raises them where the trace has them. */
export class RecordedSignals {
  readonly #controllers = new Map<string, AbortController>()

  /** @param before Signals raised before the run began. */
  constructor(trace: Trace, before: readonly SignalRow[]) {
    for (const row of trace.rows) {
      if (row.kind === 'signal' && isContextSignal(row.name)) this.#controllers.set(row.name, new AbortController())
    }
    for (const { name, value } of before) this.abort(name, value)
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
