import type { ReadsRow } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'
import { toRecorded } from '../../trace/values.ts'
import { DrawnValues } from '../drawn-values.ts'

/** Whether two texts, one of each run, differ in nothing but what the runs drew from clock and chance. */
export type AreAlike = (textOfA: string, textOfB: string) => boolean

/** Never alike where both runs drew the same: what differs then, the agent made. */
export function drawnAlike(a: Trace, b: Trace): AreAlike {
  if (printReads(a) === printReads(b)) return () => false
  const [drawnByA, drawnByB] = [drawnBy(a), drawnBy(b)]
  return (textOfA, textOfB) => drawnByA.blank(textOfA) === drawnByB.blank(textOfB)
}

function drawnBy(trace: Trace): DrawnValues {
  const values = new DrawnValues()
  values.addRecorded(Date.parse(trace.header.startedAt), readsOf(trace))
  return values
}

function printReads(trace: Trace): string {
  return JSON.stringify([trace.header.startedAt, toRecorded(readsOf(trace))])
}

function readsOf({ rows }: Trace): ReadsRow[] {
  return rows.filter((row) => row.kind === 'reads')
}
