import type { GoldenrunConfig } from '../../config/define-config.ts'
import { samplePageName } from '../../goldens/pages/page-name.ts'
import { removeSamplePages } from '../../goldens/pages/pages-folder.ts'
import { pageOfComparisons } from '../../goldens/pages/to-page.ts'
import { writePage } from '../../goldens/pages/write-page.ts'
import { compareRuns } from '../../replay/compare/compare-runs.ts'
import type { Trace } from '../../trace/trace.ts'
import type { Verification } from '../../travel/verify/verification.ts'

/**
 * Writes a page of each sample, which compares it with the trace that was verified. Those of an earlier verification are removed.
 *
 * @returns The files, as messages call them.
 * @throws GoldenrunError `GOLDENRUN_VIEWER` if one cannot be written: they were asked for.
 */
export async function writeSamplePages(
  trace: Trace,
  { name, samples }: Verification,
  folder: string,
  prices: GoldenrunConfig['prices'],
): Promise<string[]> {
  removeSamplePages(name, folder)
  const pages: string[] = []
  for (const [index, { run, ...sample }] of samples.entries()) {
    const comparison = await compareRuns(trace, run)
    const page = pageOfComparisons({ trace }, [{ trace: comparison.b, comparison, sample }], { prices, hasCommands: false })
    pages.push(writePage(folder, samplePageName(name, index + 1), page, `${name}, sample ${index + 1}`))
  }
  return pages
}
