import { toStore } from '../../stores/default-store.ts'
import { createGoldenDirectory } from '../../stores/golden-directory.ts'
import type { RunQuery, RunStatus, RunSummary } from '../../stores/run-summary.ts'
import { takeMatching } from '../../stores/draw-sample.ts'
import { isFound } from '../../stores/run-terms.ts'
import { summarizeRows } from '../../stores/summarize-run.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import { warn } from '../../run/tell.ts'
import { readTraceText } from './read-trace-text.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { Golden } from '../../trace/run-row.ts'
import type { Trace } from '../../trace/trace.ts'

/** How a run ended; `in-flight` if its trace has no end: it is still running, or its process died. */
export type TraceStatus = RunStatus

/** A trace in a list. */
export interface TraceSummary extends RunSummary {
  /** Its file, as named in messages. */
  readonly file: string
  /** What promotion added; absent for a recording. */
  readonly golden?: Golden
}

/** Which traces `listTraces` lists: all, or those that match every given filter (`agent`, `since`, `tool`, …). */
export interface ListTracesOptions extends RunQuery {
  /** A directory of recordings, or a store. Default: none; the project's `golden-traces/` are listed. */
  readonly store?: string | TraceStore
  /** Called for each trace that cannot be read, which is left out. Default: a warning of the process names it. */
  readonly onUnreadable?: (id: string, error: GoldenrunError) => void
  /** Called with the reason, a sentence, if every recording had to be read because the store has no usable index. Default: none. */
  readonly onScanned?: (why: string) => void
  /** Called with the progress while a lost index requires reading the recordings. Default: none. */
  readonly onReading?: (read: number, of: number) => void
}

/**
 * Lists the golden traces of the project by name, or the recordings of a store from the oldest to the newest. One that cannot be read is left out; the
 * others are listed.
 *
 * @throws GoldenrunError for a store that cannot be read at all.
 */
export async function listTraces(options: ListTracesOptions = {}): Promise<TraceSummary[]> {
  if (options.store === undefined) return readSummaries(createGoldenDirectory(), options)
  const { store } = toStore(options.store)
  if (store.find === undefined) {
    options.onScanned?.('Every recording was read, because the store cannot find runs (it has no "find").')
    return readSummaries(store, options)
  }
  const { runs, unreadable, scanned } = await store.find(options, options.onReading)
  if (scanned !== undefined) options.onScanned?.(scanned)
  for (const id of unreadable) await summarizeStored(id, store, options.onUnreadable)
  return runs.toReversed().map((run) => ({ ...run, file: run.file ?? run.id }))
}

/** How a trace's run ended. */
export function statusOf({ end }: Trace): TraceStatus {
  if (end === undefined) return 'in-flight'
  return end.error === undefined ? 'returned' : 'threw'
}

/** Something whose traces can be listed and read, in the order of their names. */
interface Readable extends Pick<TraceStore, 'read'> {
  list(): Promise<string[]>
}

async function readSummaries(traces: Readable, options: ListTracesOptions): Promise<TraceSummary[]> {
  const { sample, before: _before, limit = Infinity, ...whole } = options
  const summaries: TraceSummary[] = []
  const ids = (await traces.list()).toReversed()
  for (const [read, id] of ids.entries()) {
    if (options.store !== undefined) options.onReading?.(read, ids.length)
    const summary = await summarizeStored(id, traces, options.onUnreadable)
    if (summary !== undefined && isFound(summary, sample === undefined ? options : whole)) summaries.push(summary)
    // Older ones are read only to report those that are unreadable.
    if (options.onUnreadable === undefined && sample === undefined && summaries.length >= limit) break
  }
  const taken = new Set<RunSummary>(takeMatching(summaries, options))
  return summaries.filter((summary) => taken.has(summary)).toReversed()
}

async function summarizeStored(
  id: string,
  traces: Readable,
  onUnreadable: ListTracesOptions['onUnreadable'] = warnOf,
): Promise<TraceSummary | undefined> {
  const read = await readSummary(id, traces)
  if (GoldenrunError.isInstance(read)) onUnreadable(id, read)
  else return read
  return undefined
}

async function readSummary(id: string, traces: Pick<TraceStore, 'read'>): Promise<TraceSummary | GoldenrunError | undefined> {
  try {
    const stored = await traces.read(id)
    if (stored === undefined) return undefined
    const { header, rows } = await readTraceText(stored.text, stored.file)
    const summary = summarizeRows(rows)
    const flags = [...summary.flags, ...(stored.flags ?? [])]
    return { ...summary, file: stored.file, ...(header.golden && { golden: header.golden }), flags }
  } catch (error) {
    if (GoldenrunError.isInstance(error)) return error
    throw error
  }
}

/** Returns why a recording cannot be read; undefined if it can be. */
export async function whyUnreadable(id: string, store: Pick<TraceStore, 'read'>): Promise<GoldenrunError | undefined> {
  const read = await readSummary(id, store)
  return GoldenrunError.isInstance(read) ? read : undefined
}

function warnOf(id: string, { message }: GoldenrunError): void {
  warn(`goldenrun cannot read the trace "${id}" and left it out: ${message}`)
}
