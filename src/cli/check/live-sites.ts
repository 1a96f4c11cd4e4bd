import { readTraceText } from '../../replay/traces/read-trace-text.ts'
import { createGoldenDirectory } from '../../stores/golden-directory.ts'
import { listIds } from '../../stores/list-ids.ts'
import { toStore } from '../../stores/default-store.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { Trace } from '../../trace/trace.ts'
import type { Progress } from '../progress.ts'

/** A place in the agent's code that stays live: work inside `live` is neither recorded nor compared. */
export interface LiveSite {
  readonly reason: string
  /** As recorded: `src/agent.ts:48:22`. Absent in older recordings. */
  readonly site?: string
  /** The number of times it was run. */
  readonly calls: number
  /** The number of goldens and recordings that contain it. */
  readonly traces: number
}

/** Finds the live places in all golden traces and in the newest recordings, the most frequent first. */
export async function findLiveSites(recordings: string | TraceStore, newest: number, { tell }: Progress): Promise<LiveSite[]> {
  const found = new Map<string, LiveSite>()
  for await (const trace of everyTrace(recordings, newest, tell)) {
    const places = trace.rows.flatMap((row) => (row.kind === 'note' && row.what === 'live' ? [row.where] : []))
    for (const [where, same] of Map.groupBy(places, (place) => place)) {
      const { calls = 0, traces = 0 } = found.get(where) ?? {}
      found.set(where, { ...readPlace(where), calls: calls + same.length, traces: traces + 1 })
    }
  }
  return [...found.values()].toSorted((one, other) => other.calls - one.calls)
}

async function* everyTrace(recordings: string | TraceStore, newest: number, tell: Progress['tell']): AsyncGenerator<Trace> {
  const goldens = createGoldenDirectory()
  const { store } = toStore(recordings)
  const sources = [
    { from: goldens, ids: await goldens.list() },
    { from: store, ids: (await listIds(store, { newest: true, limit: newest })).toReversed() },
  ]
  for (const { from, ids } of sources) {
    for (const id of ids) {
      tell(`Reading ${id}`)
      const stored = await from.read(id)
      if (stored === undefined) continue
      try {
        yield await readTraceText(stored.text, stored.file)
      } catch (error) {
        // Goldens that cannot be read are reported as a separate finding.
        if (!GoldenrunError.isInstance(error)) throw error
      }
    }
  }
}

function readPlace(where: string): Pick<LiveSite, 'reason' | 'site'> {
  const { reason = where, site } = /^(?<reason>[^]*) at (?<site>\S+:\d+:\d+)$/.exec(where)?.groups ?? {}
  return { reason, ...(site !== undefined && { site }) }
}
