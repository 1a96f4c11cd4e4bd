import type { PageComparison, RunPage } from '../page-data.ts'
import { type ViewedRun, viewRun } from './viewed-run.ts'

/** The runs of a page. The steps of a replay are called as the recorded ones. */
export function viewRuns({ runs, comparisons }: RunPage): ViewedRun[] {
  return runs.map((run, index) => viewRun(run, labelsOf(comparisons[index - 1])))
}

function labelsOf(comparison: PageComparison | undefined): ((step: number) => string) | undefined {
  if (comparison?.kind !== 'replay') return undefined
  const recorded = new Map(comparison.pairs.map(([a, b]) => [b, a]))
  return (step) => String(recorded.get(step) ?? '+')
}
