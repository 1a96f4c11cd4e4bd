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
  // What reads rows checks them with a schema library: where it is first needed. Nobody asks for the hash.
  const { decodeTrace } = await import('../../trace/read.ts')
  return stored === undefined ? [] : decodeTrace(stored.text, stored.file, () => '').rows.map(comparable)
}

/** A row as JSON, whatever its values are, without what is not there. */
export function comparable(row: Row): unknown {
  return JSON.parse(JSON.stringify(toRecorded(row)))
}
