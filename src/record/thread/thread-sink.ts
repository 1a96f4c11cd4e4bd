import type { RunRow } from '../../trace/run-row.ts'
import type { RecorderLimits } from '../limits.ts'
import type { RunJournal } from '../journal/run-journal.ts'
import type { RunSink } from '../raw/raw-entry.ts'
import type { OnTelemetryEvents } from '../telemetry/telemetry-events.ts'
import type { LogThread } from './log-thread.ts'

/**
 * Hands a run over to the thread that keeps runs.
 *
 * @param journal Holds the side effects that start. Where there is none, those that are declared wait for the thread.
 * @param onEvents Default: nobody is told of the run.
 * @throws where as much waits already as may, and where the thread has ended.
 */
export function createThreadSink(
  thread: LogThread,
  recorder: number,
  header: RunRow,
  limits: Required<RecorderLimits>,
  journal: RunJournal | undefined,
  onEvents?: OnTelemetryEvents,
): RunSink {
  if (!thread.hasRoom(1, limits.memoryBytes))
    throw new Error(`as much waits to be written as limits.memoryBytes lets wait (${limits.memoryBytes})`)
  const run = thread.open(onEvents)
  thread.append(run, { kind: 'begin', recorder, header, isObserved: onEvents !== undefined })
  const flush = (): boolean => thread.flush(limits.sideEffectMilliseconds)
  return {
    announce: (call) => journal?.append(call) === true || call.effect === undefined || flush(),
    take: (entry, body) => thread.append(run, entry, body),
    hasRoom: (bytes) => thread.hasRoom(bytes, limits.memoryBytes),
    flush,
    close: (onClosed, keeps) => thread.close(run, onClosed, keeps),
  }
}
