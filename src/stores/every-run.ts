import type { RunQuery, RunSummary } from './run-summary.ts'
import type { TraceStore } from './trace-store.ts'

/** Runs of a store, the newest first, a page at a time: there may be millions. */
export async function* everyRun(store: Required<Pick<TraceStore, 'find'>>, query: RunQuery, page: number): AsyncGenerator<RunSummary> {
  let before: string | undefined
  for (;;) {
    const asked = before === undefined ? query : { ...query, before, indexedOnly: true as const }
    const { runs } = await store.find({ ...asked, limit: page })
    yield* runs
    const last = runs.at(-1)
    if (last === undefined || runs.length < page) return
    before = last.id
  }
}
