import type { RecorderLimits } from './limits.ts'
import type { RawBody, RawEntry, RawSink } from './raw/raw-entry.ts'
import type { Stopwatch } from './stopwatch.ts'

/** Tells the limit that a run goes beyond with an entry, and what it is. @param steps How many steps the run has, the entry's included. */
export type ExceededLimit = (entry: RawEntry, body: RawBody, steps: number) => string | undefined

/** Watches what one run takes of the process. */
export function watchLimits(limits: Required<RecorderLimits>, sink: RawSink, time: Stopwatch): ExceededLimit {
  const { memoryBytes, runSteps, runBytes, runMilliseconds } = limits
  let bytes = 0
  return (entry, body, steps) => {
    const isCall = entry.kind === 'request' || (entry.kind === 'row' && entry.row.kind === 'call')
    if (isCall && steps > runSteps) return `runSteps: ${runSteps}`
    const length = body?.length ?? 0
    bytes += length
    if (bytes > runBytes) return `runBytes: ${runBytes}`
    // What is handed over asked for its time just before.
    if (time.last > runMilliseconds) return `runMilliseconds: ${runMilliseconds}`
    return sink.hasRoom?.(length) === false ? `memoryBytes: ${memoryBytes}` : undefined
  }
}
