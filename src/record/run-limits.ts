import type { RecorderLimits } from './limits.ts'
import { isCall } from './raw/entry-kinds.ts'
import type { RawBody, RawEntry, RawSink } from './raw/raw-entry.ts'
import type { Stopwatch } from './stopwatch.ts'

/** Returns the limit that a run exceeds with an entry, and its value. @param steps The number of steps of the run, including the entry's. */
export type ExceededLimit = (entry: RawEntry, body: RawBody, steps: number) => string | undefined

/** Watches how much of the process's resources one run uses. */
export function watchLimits(limits: Required<RecorderLimits>, sink: RawSink, time: Stopwatch): ExceededLimit {
  const { memoryBytes, runSteps, runBytes, runMilliseconds } = limits
  let bytes = 0
  return (entry, body, steps) => {
    if (isCall(entry) && steps > runSteps) return `runSteps: ${runSteps}`
    const length = body?.length ?? 0
    bytes += length
    if (bytes > runBytes) return `runBytes: ${runBytes}`
    // The entry that is handed over read the time just before.
    if (time.last > runMilliseconds) return `runMilliseconds: ${runMilliseconds}`
    return sink.hasRoom?.(length) === false ? `memoryBytes: ${memoryBytes}` : undefined
  }
}
