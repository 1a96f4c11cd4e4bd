import type { TraceStore } from '../../stores/trace-store.ts'
import type { RunRow } from '../../trace/run-row.ts'
import { RowKeeper } from '../keep/row-keeper.ts'
import type { RuleSet } from '../redaction/rule-set.ts'
import type { RunSink } from './raw-entry.ts'

/**
 * Keeps a run where it happens, on the agent's own thread.
 *
 * @throws What the store throws where it cannot open the recording.
 */
export function createInlineSink(header: RunRow, ruleSet: RuleSet, store: TraceStore): RunSink {
  const keeper = new RowKeeper(header, ruleSet, (opened) => store.open(opened))
  return {
    take: (entry, body) => keeper.take(entry, body),
    flush() {
      keeper.flush()
      return true
    },
    close(onClosed) {
      let failure: { readonly error: unknown } | undefined
      try {
        keeper.close()
      } catch (error) {
        failure = { error }
      }
      onClosed(failure)
    },
  }
}
