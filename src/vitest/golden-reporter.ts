import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { printableStyled } from '../trace/printable.ts'
import type { GoldenResult } from './golden-result.ts'
import { refuseBrowserMode } from './roots.ts'
import { summaryLine } from './reporter/summary-line.ts'
import { rebaseLines, writeRebased } from './reporter/rebased.ts'

/** What the reporter writes beside its line. */
export interface GoldenReporterOptions {
  /**
   * A file for what does not hold, as JSON: a list of reports, each change once (`docs/report.schema.json`). Default: what the environment variable
   * `GOLDENRUN_JSON_FILE` says, or none.
   */
  readonly jsonFile?: string
  /**
   * A file for the same as Markdown, for a comment on a pull request. Default: what the environment variable `GOLDENRUN_MARKDOWN_FILE` says, or
   * none; in GitHub Actions it is added to the job's summary.
   */
  readonly markdownFile?: string
}

/** Reporters whose output is for programs: a line between theirs would break it. */
const forPrograms: ReadonlySet<unknown> = new Set(['json', 'junit', 'tap', 'tap-flat'])

/**
 * Tells what came of the goldens of a run in a line, beside the reports that their tests fail with; as files and in the summary of a GitHub job
 * each change once. With `-u` it lists what is taken over, and then writes it. The plugin brings it.
 */
export class GoldenReporter implements Reporter {
  readonly #options: GoldenReporterOptions
  #vitest: Vitest | undefined

  constructor(options: GoldenReporterOptions = {}) {
    this.#options = options
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunStart(): Promise<void> {
    if (this.#vitest !== undefined) await refuseBrowserMode(this.#vitest)
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const results = modules.flatMap(resultsOf).toSorted((a, b) => (a.file < b.file ? -1 : 1))
    if (results.length === 0) return
    this.#print(rebaseLines(results))
    await writeRebased(results)
    this.#print([summaryLine(results), ''])
    await this.#writeReports(results)
  }

  async #writeReports(results: readonly GoldenResult[]): Promise<void> {
    const jsonFile = this.#options.jsonFile ?? fileFrom('GOLDENRUN_JSON_FILE')
    const markdownFile = this.#options.markdownFile ?? fileFrom('GOLDENRUN_MARKDOWN_FILE')
    const findings = groupFindings(results)
    const json = findings.map(({ json: report, alsoIn }) => ({ ...report, ...(alsoIn.length > 0 && { alsoIn }) }))
    if (jsonFile !== undefined) await write(this.#resolve(jsonFile), `${JSON.stringify(json, null, 2)}\n`)
    const summary = process.env['GITHUB_STEP_SUMMARY'] ?? ''
    if (markdownFile === undefined && summary === '') return
    // Loaded where it is asked for: the plugin is loaded by every run of the tests.
    const { findingsToMarkdown, tellCounts } = await import('../divergence/report/print-groups.ts')
    const markdown = `${findings.length === 0 ? '' : `${findingsToMarkdown(findings)}\n\n`}${tellCounts(results.map(({ status }) => status))}\n`
    if (markdownFile !== undefined) await write(this.#resolve(markdownFile), markdown)
    if (summary !== '') await appendFile(summary, `## Golden traces\n\n${markdown}`)
  }

  #resolve(file: string): string {
    return path.resolve(this.#vitest?.config.root ?? '', file)
  }

  #print(lines: readonly string[]): void {
    const { reporters = [], outputFile } = this.#vitest?.config ?? {}
    const isReadByPrograms =
      outputFile === undefined && reporters.some((reporter) => Array.isArray(reporter) && forPrograms.has(reporter[0]))
    if (!isReadByPrograms && lines.length > 0) this.#vitest?.logger.log(printableStyled(lines.join('\n')))
  }
}

function resultsOf(module: TestModule): GoldenResult[] {
  return [...module.children.allTests()].flatMap((test) => {
    const { goldenrun } = test.meta()
    return goldenrun === undefined || test.result().state === 'skipped' ? [] : [goldenrun]
  })
}

/** The reports, each change once, with the names of the other goldens that carry it. */
function groupFindings(results: readonly GoldenResult[]): (NonNullable<GoldenResult['report']> & { readonly alsoIn: readonly string[] })[] {
  const reported = results.flatMap(({ name, report }) => (report === undefined ? [] : [{ name, report }]))
  return [...Map.groupBy(reported, ({ report }) => report.key).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first.report, alsoIn: others.map(({ name }) => name) }],
  )
}

/** A relative path is one from the project's root, as in the options. */
function fileFrom(variable: 'GOLDENRUN_JSON_FILE' | 'GOLDENRUN_MARKDOWN_FILE'): string | undefined {
  const file = process.env[variable] ?? ''
  return file === '' ? undefined : file
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}
