import { StoredRun } from '../../stores/stored-run.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import type { RunRow } from '../../trace/run-row.ts'
import { RowKeeper } from '../keep/row-keeper.ts'
import type { RuleSet } from '../redaction/rule-set.ts'
import type { Closed, RunSink } from './raw-entry.ts'

/**
 * Keeps a run where it happens, on the agent's own thread.
 *
 * @throws What the store throws where it cannot open the recording.
 */
export function createInlineSink(header: RunRow, ruleSet: RuleSet, store: TraceStore): RunSink {
  const keeper = new RowKeeper(header, ruleSet, (opened) => new StoredRun(store, opened))
  return {
    take: (entry, body) => keeper.take(entry, body),
    flush() {
      keeper.flush()
      return true
    },
    close(onClosed, keeps) {
      let closed: Closed
      try {
        closed = { isKept: keeper.close(keeps) }
      } catch (error) {
        closed = { isKept: true, failure: { error } }
      }
      onClosed(closed)
    },
  }
}
