import { type Alignment, type ComparableCall, comparableCalls, Similarity } from '../../replay/compare/similarity.ts'
import { readTraceText } from '../../replay/traces/read-trace-text.ts'
import { everyRun, type FindingStore } from '../../stores/every-run.ts'
import type { RunQuery, RunSummary } from '../../stores/run-summary.ts'
import { summarizeRows } from '../../stores/summarize-run.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { Trace } from '../../trace/trace.ts'
import { tellReading } from '../progress.ts'

/** A run that is similar to another one. */
export interface SimilarRun {
  readonly run: RunSummary
  readonly trace: Trace
  readonly alignment: Alignment
}

/** The runs that are considered. */
export interface SimilarQuery {
  readonly query: RunQuery
  /** Includes runs that failed, were flagged or repeated a side effect. */
  readonly all: boolean
  /** The maximum number of runs returned. */
  readonly limit: number
}

/** The number of newest summaries that are read from the index. */
const maxSummaries = 100_000

/** The number of recordings that are read and aligned: those with the most similar summaries. */
const maxAligned = 200

/**
 * Finds the runs of a store that are most similar to a run of the same agent, by aligning their calls. The work is bounded: it reads the summaries of
 * the newest 100,000 runs from the index, and the 200 recordings that are most similar in tools and numbers of calls.
 *
 * @param onUnreadable Called with the ids of recordings that cannot be read. Default: nothing.
 */
export async function findSimilar(
  trace: Trace,
  store: FindingStore,
  { query, all, limit }: SimilarQuery,
  tell: (text: string) => void,
  onUnreadable: (ids: readonly string[]) => void = () => undefined,
): Promise<SimilarRun[]> {
  const own = summarizeRows(trace.rows)
  const ids = new Set([trace.header.id, trace.header.golden?.promotedFrom])
  const candidates: { run: RunSummary; likeness: number }[] = []
  let seen = 0
  for await (const run of everyRun(store, { agent: trace.header.agent, ...query }, { onReading: tellReading(tell), onUnreadable })) {
    seen += 1
    if (seen > maxSummaries) break
    if (!ids.has(run.id) && (all || wentWell(run))) candidates.push({ run, likeness: likenessOf(own, run) })
  }
  const nearest = candidates.toSorted((one, other) => other.likeness - one.likeness).slice(0, maxAligned)
  const others: (Pick<SimilarRun, 'run' | 'trace'> & { readonly calls: readonly ComparableCall[] })[] = []
  for (const [index, { run }] of nearest.entries()) {
    tell(`Comparing ${index + 1}/${nearest.length}: ${run.id}`)
    const other = await readOther(store, run.id)
    if (other === 'unreadable') onUnreadable([run.id])
    else if (other !== undefined) others.push({ run, trace: other, calls: comparableCalls(other) })
  }
  const calls = comparableCalls(trace)
  const similarity = new Similarity([calls, ...others.map((other) => other.calls)])
  return others
    .map(({ calls: theirs, ...other }) => ({ ...other, alignment: similarity.align(calls, theirs) }))
    .toSorted((one, other) => other.alignment.score - one.alignment.score)
    .slice(0, limit)
}

async function readOther(store: FindingStore, id: string): Promise<Trace | 'unreadable' | undefined> {
  try {
    const stored = await store.read(id)
    return stored && (await readTraceText(stored.text, stored.file))
  } catch (error) {
    if (!GoldenrunError.isInstance(error)) throw error
    return 'unreadable'
  }
}

function wentWell({ status, flags, repeatedSideEffects }: RunSummary): boolean {
  return status === 'returned' && flags.length === 0 && repeatedSideEffects === 0
}

/** Returns how similar two runs are by their index entries: the tools that they share, and their numbers of calls. */
function likenessOf(one: RunSummary, other: RunSummary): number {
  const tools = new Set(one.tools)
  const shared = other.tools.filter((tool) => tools.has(tool)).length
  const all = tools.size + other.tools.length - shared
  return (all === 0 ? 1 : shared / all) + closeness(one.toolCalls, other.toolCalls) + closeness(one.modelCalls, other.modelCalls)
}

function closeness(one: number, other: number): number {
  const most = Math.max(one, other)
  return most === 0 ? 1 : Math.min(one, other) / most
}
