import { StoredRun } from '../../stores/stored-run.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import type { RunRow } from '../../trace/run-row.ts'
import { RowKeeper } from '../keep/row-keeper.ts'
import { currentVariables } from '../../node/variables.ts'
import type { RunJournal } from '../journal/run-journal.ts'
import type { RuleSet } from '../../redaction/rule-set.ts'
import type { EventBuilder } from '../telemetry/event-builder.ts'
import type { OnTelemetryEvents } from '../telemetry/telemetry-events.ts'
import type { RunSecrets } from '../secrets/run-secrets.ts'
import type { Closed, RunSink } from './raw-entry.ts'

/** Receives the events of a run that is kept on the agent's own thread. */
export interface InlineTelling {
  readonly builder: EventBuilder
  readonly onEvents: OnTelemetryEvents
}

/**
 * Keeps a run on the agent's own thread.
 *
 * @param journal Holds the side effects that start: their rows may have to wait for earlier ones. Default: none.
 * @param telling Receives the run's events. Default: none.
 * @param secrets Takes the secrets that redaction removes. Default: none.
 * @throws The store's error if it cannot open the recording.
 */
export function createInlineSink(
  header: RunRow,
  ruleSet: RuleSet,
  store: TraceStore,
  journal?: RunJournal,
  telling?: InlineTelling,
  secrets?: RunSecrets,
): RunSink {
  const keeper = new RowKeeper(
    header,
    ruleSet,
    (opened) => new StoredRun(store, opened, (row) => telling?.builder.add(row)),
    currentVariables,
    secrets,
  )
  const tell = (): void => {
    const events = telling?.builder.take() ?? []
    if (events.length > 0) telling?.onEvents(events)
  }
  return {
    take(entry, body) {
      keeper.take(entry, body)
      tell()
    },
    announce(call) {
      journal?.append(call)
      if (call.effect !== undefined) keeper.flush()
      return true
    },
    flush() {
      keeper.flush()
      return true
    },
    close(onClosed, keeps) {
      let closed: Closed
      try {
        const isKept = keeper.close(keeps)
        // A run that was cut asks for no answer.
        if (keeper.stored instanceof Promise) keeper.stored.catch(() => undefined)
        closed = isKept && keeper.stored !== true ? { isKept, stored: keeper.stored ?? 'by flush' } : { isKept }
      } catch (error) {
        closed = { isKept: true, failure: { error } }
      }
      telling?.builder.end()
      tell()
      onClosed(closed)
    },
  }
}
