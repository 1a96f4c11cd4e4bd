import type { GoldenrunConfig } from '../../config/define-config.ts'
import { samplePageName } from '../../goldens/pages/page-name.ts'
import { removeSamplePages } from '../../goldens/pages/pages-folder.ts'
import { pageOfComparisons } from '../../goldens/pages/to-page.ts'
import { writePage } from '../../goldens/pages/write-page.ts'
import { compareRuns } from '../../replay/compare/compare-runs.ts'
import type { Trace } from '../../trace/trace.ts'
import type { Verification } from '../../travel/verify/verification.ts'

/**
 * Writes a page for each sample, which compares it with the verified trace. The pages of an earlier verification are removed.
 *
 * @returns The files' names in messages.
 * @throws GoldenrunError `GOLDENRUN_VIEWER` if a page cannot be written, because the user asked for it.
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
