import type { Row } from '../../trace/rows.ts'
import { toRecorded } from '../../trace/values.ts'
import type { RunQuery } from '../run-summary.ts'
import type { TraceStore } from '../trace-store.ts'
import { sampleRun } from './sample-runs.ts'

/** The id of a sample run. */
export function idOf(second: number): string {
  return sampleRun(second).header.id
}

/** The ids of what a store finds. */
export async function found(store: TraceStore, query: RunQuery): Promise<string[] | undefined> {
  return (await store.find?.(query))?.runs.map(({ id }) => id)
}

/** The rows of a recording, comparable. */
export async function rowsOf(store: TraceStore, id: string): Promise<unknown[]> {
  const stored = await store.read(id)
  // Loaded lazily: reading rows loads a schema library. The hash is not needed.
  const { decodeTrace } = await import('../../trace/read.ts')
  return stored === undefined ? [] : decodeTrace(stored.text, stored.file, () => '').rows.map(comparable)
}

/** A row as JSON, without undefined fields. */
export function comparable(row: Row): unknown {
  return JSON.parse(JSON.stringify(toRecorded(row)))
}
