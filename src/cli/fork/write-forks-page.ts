import { type ComparedPageRun, type ComparisonOptions, pageOfComparisons } from '../../goldens/pages/to-page.ts'
import { writePage } from '../../goldens/pages/write-page.ts'
import { compareRuns } from '../../replay/compare/compare-runs.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import type { Trace } from '../../trace/trace.ts'

/** Writes a page that compares forks with the run that was forked. @returns The file's name in messages. */
export async function writeForksPage(
  trace: Trace,
  forks: readonly ReplayedRun[],
  file: string,
  options: ComparisonOptions,
): Promise<string> {
  const others: ComparedPageRun[] = []
  for (const fork of forks) {
    const comparison = await compareRuns(trace, fork)
    others.push({ trace: comparison.b, comparison })
  }
  const { golden, id } = trace.header
  return writePage('.', file, pageOfComparisons({ trace }, others, options), `Forks of ${golden?.name ?? id}`)
}
