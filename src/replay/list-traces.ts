import { toStore } from '../stores/default-store.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import { readTraceText } from '../trace/read-text.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Golden } from '../trace/run-row.ts'
import type { Trace } from '../trace/trace.ts'
import { digest } from './digest.ts'

/** How a run ended; `in-flight` when its trace has no end: it still runs, or its process died. */
export type TraceStatus = 'returned' | 'threw' | 'in-flight'

/** A trace, in a line of a list. */
export interface TraceSummary {
  readonly id: string
  readonly agent: string
  readonly status: TraceStatus
  /** ISO 8601 with milliseconds. */
  readonly startedAt: string
  /** How many steps it has. */
  readonly steps: number
  readonly tags: Readonly<Record<string, string>>
  /** Its file, as messages call it. */
  readonly file: string
  /** Why somebody should look at it: what the agent flagged, and repeated side effects. */
  readonly flags: readonly string[]
  /** What promotion added; absent for a recording. */
  readonly golden?: Golden
}

/** Which traces `listTraces` lists. */
export interface ListTracesOptions {
  /** A directory of recordings, or a store. Default: none, the project's `golden-traces/` are listed. */
  readonly store?: string | TraceStore
  /** Told of each trace that cannot be read, which is then left out. Default: `listTraces` rejects with the first such error. */
  readonly onUnreadable?: (id: string, error: GoldenrunError) => void
}

/**
 * Lists the golden traces of the project by name, or the recordings of a store from the oldest to the newest.
 *
 * @throws GoldenrunError for a trace that cannot be read, unless `onUnreadable` is given.
 */
export async function listTraces(options: ListTracesOptions = {}): Promise<TraceSummary[]> {
  const traces = options.store === undefined ? createGoldenDirectory() : toStore(options.store).store
  const summaries: TraceSummary[] = []
  for (const id of await traces.list()) {
    const summary = await summarizeStored(id, traces, options.onUnreadable)
    if (summary !== undefined) summaries.push(summary)
  }
  return summaries
}

/** How a trace's run ended. */
export function statusOf({ end }: Trace): TraceStatus {
  if (end === undefined) return 'in-flight'
  return end.error === undefined ? 'returned' : 'threw'
}

function summarizeTrace(trace: Trace, file: string): TraceSummary {
  const { header, rows, steps } = trace
  const flags = rows.filter((row) => row.kind === 'note').filter(({ what }) => what === 'flagged' || what === 'repeated-side-effect')
  return {
    id: header.id,
    agent: header.agent,
    status: statusOf(trace),
    startedAt: header.startedAt,
    steps: steps.length,
    tags: header.tags ?? {},
    file,
    flags: flags.map(({ where }) => where),
    ...(header.golden === undefined ? {} : { golden: header.golden }),
  }
}

async function summarizeStored(
  id: string,
  traces: Pick<TraceStore, 'read'>,
  onUnreadable: ListTracesOptions['onUnreadable'],
): Promise<TraceSummary | undefined> {
  try {
    const stored = await traces.read(id)
    return stored === undefined ? undefined : summarizeTrace(await readTraceText(stored.text, stored.file, digest), stored.file)
  } catch (error) {
    if (onUnreadable === undefined || !GoldenrunError.isInstance(error)) throw error
    onUnreadable(id, error)
    return undefined
  }
}
