import type { AnsweredRun } from '../../run/active-run.ts'
import type { RunRow } from '../../trace/run-row.ts'
import { copyValue } from '../../trace/values.ts'

/** Where a run goes on from, as its agent sees it: with a state of its own each time. */
export function resumePoint({ resumedFrom }: RunRow): AnsweredRun['resumedFrom'] {
  if (resumedFrom === undefined) return undefined
  const { checkpoint, step, state } = resumedFrom
  return () => ({ checkpoint, step, state: copyValue(state) })
}
