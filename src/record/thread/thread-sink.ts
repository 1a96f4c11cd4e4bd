import type { RunRow } from '../../trace/run-row.ts'
import type { RecorderLimits } from '../limits.ts'
import type { RunSink } from '../raw/raw-entry.ts'
import type { LogThread } from './log-thread.ts'

/** Hands a run over to the thread that keeps runs. */
export function createThreadSink(thread: LogThread, recorder: number, header: RunRow, limits: Required<RecorderLimits>): RunSink {
  const run = thread.open()
  thread.append(run, { kind: 'begin', recorder, header })
  return {
    take: (entry, body) => thread.append(run, entry, body),
    hasRoom: (bytes) => thread.waitingBytes + bytes <= limits.memoryBytes,
    flush: () => thread.flush(limits.sideEffectMilliseconds),
    close: (onClosed, keeps) => thread.close(run, onClosed, keeps),
  }
}
