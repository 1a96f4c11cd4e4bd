import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { printableStyled } from '../../trace/printable.ts'
import { type GatheredResults, gatherResults } from './gather.ts'
import type { GoldenResult } from './golden-result.ts'
import { rebaseLines, writeRebased } from './rebases.ts'
import { summaryLine } from './summary-line.ts'

/** What a reporter writes besides its line. */
export interface GoldenReporterOptions {
  /**
   * A file for failures as JSON: a list of reports, each change once (`docs/report.schema.json`). Default: the environment variable
   * `GOLDENRUN_JSON_FILE`, or none.
   */
  readonly jsonFile?: string
  /**
   * A file for the same as Markdown, for a comment on a pull request. Default: the environment variable `GOLDENRUN_MARKDOWN_FILE`, or none.
   * In GitHub Actions it is added to the job's summary.
   */
  readonly markdownFile?: string
}

/** What a test runner gives to its reporter. */
export interface ReporterSurroundings {
  /** Relative files are written from here. */
  readonly root: string
  /** The title before the counts, as wide as the runner's own titles. */
  readonly title: string
  print(text: string): void
}

/**
 * Reports on the goldens of a test run: one line, and the requested files. With `-u`, lists the accepted changes, and then writes them.
 *
 * @returns A problem besides failing tests, as a sentence: tests that would rebase a golden to different texts. Undefined if there is none.
 */
export async function reportGoldens(
  results: readonly GoldenResult[],
  options: GoldenReporterOptions,
  { root, title, print }: ReporterSurroundings,
): Promise<string | undefined> {
  if (results.length === 0) return undefined
  const gathered = gatherResults(results)
  const rebases = rebaseLines(gathered)
  if (rebases.length > 0) print(printableStyled(rebases.join('\n')))
  await writeRebased(gathered, results)
  print(printableStyled([summaryLine(title, gathered.goldens), ''].join('\n')))
  await writeReports(gathered, options, root)
  if (gathered.disputed.length === 0) return undefined
  return `Tests disagree on the changes to ${gathered.disputed.map(({ name }) => name).join(', ')}, so nothing was written there.`
}

async function writeReports({ findings, goldens }: GatheredResults, options: GoldenReporterOptions, root: string): Promise<void> {
  const jsonFile = options.jsonFile ?? fileFrom('GOLDENRUN_JSON_FILE')
  const markdownFile = options.markdownFile ?? fileFrom('GOLDENRUN_MARKDOWN_FILE')
  const json = findings.map(({ json: report, alsoIn }) => ({ ...report, ...(alsoIn.length > 0 && { alsoIn }) }))
  if (jsonFile !== undefined) await write(path.resolve(root, jsonFile), `${JSON.stringify(json, null, 2)}\n`)
  const summary = process.env['GITHUB_STEP_SUMMARY'] ?? ''
  if (markdownFile === undefined && summary === '') return
  // Loaded on demand, because every test run loads the reporter.
  const { findingsToMarkdown, tellCounts } = await import('../../divergence/report/print-groups.ts')
  const markdown = `${findings.length === 0 ? '' : `${findingsToMarkdown(findings)}\n\n`}${tellCounts(goldens.map(({ status }) => status))}\n`
  if (markdownFile !== undefined) await write(path.resolve(root, markdownFile), markdown)
  if (summary !== '') await appendFile(summary, `## Golden traces\n\n${markdown}`)
}

/** A relative path starts at the project's root, as in the options. */
function fileFrom(variable: 'GOLDENRUN_JSON_FILE' | 'GOLDENRUN_MARKDOWN_FILE'): string | undefined {
  const file = process.env[variable] ?? ''
  return file === '' ? undefined : file
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}
