import { listTraces, type TraceSummary } from '../../replay/traces/list-traces.ts'
import { toStore } from '../../stores/default-store.ts'
import type { RunQuery } from '../../stores/run-summary.ts'
import { isFound } from '../../stores/run-terms.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { ListedRun, ListPage } from '../../viewer/page-data.ts'

/** The default number of recordings that are listed. */
const MOST_LISTED = 200

/** Returns the list of a store's recordings, the newest first, after the project's goldens. */
export async function listPage(store: string | TraceStore, query: RunQuery, hrefOf: (run: string) => string): Promise<ListPage> {
  const limit = query.limit ?? MOST_LISTED
  // `list` names recordings that cannot be read.
  const onUnreadable = (): void => undefined
  const goldens = (await listTraces({ onUnreadable })).filter((golden) => isFound(golden, query))
  const found = await listTraces({ ...query, limit: limit + 1, store, onUnreadable })
  const runs = [...goldens, ...found.toReversed().slice(0, limit)].map((summary) => toListed(summary, hrefOf))
  return { kind: 'list', place: toStore(store).place, runs, more: found.length > limit }
}

function toListed({ id, agent, status, steps, startedAt, flags, tags, golden }: TraceSummary, hrefOf: (run: string) => string): ListedRun {
  const name = golden?.name ?? id
  return {
    href: hrefOf(name),
    name,
    agent,
    status,
    steps,
    startedAt,
    flags,
    tags: tags ?? {},
    golden: golden !== undefined,
    ...omitUndefined({ description: golden?.description }),
  }
}
