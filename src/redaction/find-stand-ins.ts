import type { Trace } from '../trace/trace.ts'
import { findShaped } from './find-shaped.ts'
import type { FoundStandIn } from './stand-in.ts'
import { StandInList } from './stand-in-list.ts'
import { listsStandIns, standInRows } from './stand-in-rows.ts'

/** Finds the stand-ins in a text, in order. */
export type FindStandIns = (text: string) => readonly FoundStandIn[]

/** Returns a function that finds the stand-ins of traces that are shown together: a replay has those of the recorded run, and its own. */
export function standInFinder(traces: readonly Pick<Trace, 'header' | 'rows'>[]): FindStandIns {
  const finders = traces.map(({ header, rows }): FindStandIns => {
    const list = new StandInList(standInRows(rows))
    return listsStandIns(header) ? (text) => list.find(text) : findShaped
  })
  return (text) => finders.flatMap((find) => find(text)).toSorted((a, b) => a.start - b.start || b.end - a.end)
}
