import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isCI } from '../golden-mode.ts'
import { printable, printableStyled } from '../../trace/printable.ts'
import { count, type DisputedGolden, type GatheredResults, gatherResults, statuses } from './gather.ts'
import type { GoldenResult } from './golden-result.ts'
import picocolors from 'picocolors'
import { removeRedPages } from '../pages/pages-folder.ts'
import { ownCommand } from '../../stores/package-manager.ts'
import { writeFileAtomically } from '../../stores/write-file-atomically.ts'

const { bold, dim, green, red, yellow } = picocolors

const colors: Readonly<Partial<Record<GoldenResult['status'], (text: string) => string>>> = {
  rebased: yellow,
  recorded: yellow,
  held: green,
  'not asserted': yellow,
}

/** Returns the counts of goldens by status, in the style of the runner's own summary. @param title As wide as the runner's own titles. */
function summaryLine(title: string, goldens: readonly GoldenResult[]): string {
  const counts = statuses.flatMap((status) => {
    const { length } = goldens.filter((golden) => golden.status === status)
    return length === 0 ? [] : [bold((colors[status] ?? red)(`${length} ${status}`))]
  })
  return `${title} ${counts.join(dim(' | '))}${dim(` (${goldens.length})`)}`
}

/** Lists the accepted changes, each once with the number of its goldens, then the goldens that are not rebased, why, and what to do. */
export function rebaseLines({ rebased, refused, disputed }: GatheredResults): string[] {
  const changes = rebased.flatMap(({ rebase }) => rebase?.changes ?? [])
  const distinct = [...Map.groupBy(changes, ({ key }) => key).values()]
  const taken = distinct.flatMap(([change, ...others]) =>
    change === undefined
      ? []
      : [
          `   ${printable([change.of, change.path].filter((part) => part !== '').join(', '))} ${dim(`(${count(others.length + 1, 'golden')})`)}`,
          ...(change.expected === undefined ? [] : [red(`     - ${printable(change.expected)}`)]),
          ...(change.received === undefined ? [] : [green(`     + ${printable(change.received)}`)]),
        ],
  )
  const title = `${count(distinct.length, 'change')} accepted in ${count(rebased.length, 'golden')}:`
  return [
    ...(rebased.length === 0 ? [] : [bold(` ${title}`), ...taken, '']),
    ...(refused.length === 0 ? [] : [bold(` Not rebased, ${count(refused.length, 'golden')}:`), ...refused.flatMap(refusalLines), '']),
    ...(disputed.length === 0
      ? []
      : [bold(` Not rebased because their tests disagree, ${count(disputed.length, 'golden')}:`), ...disputed.flatMap(disputeLines), '']),
  ]
}

/** Writes the rebased goldens and removes the temporary files. */
async function writeRebased({ rebased }: GatheredResults, results: readonly GoldenResult[]): Promise<void> {
  for (const { rebase } of rebased) {
    if (rebase !== undefined) await writeFileAtomically(rebase.file, await readFile(rebase.rebased, 'utf8'), { force: true })
  }
  for (const { rebase } of results) if (rebase !== undefined) await rm(path.dirname(rebase.rebased), { recursive: true, force: true })
}

function refusalLines({ name, refusal }: GoldenResult): string[] {
  const { reason = '', command } = refusal ?? {}
  return [
    `   ${printable(`${name}: ${reason}`)}`,
    ...(command === undefined ? [] : [dim(`     To record it again: ${printable(command)}`)]),
  ]
}

function disputeLines({ name, tests }: DisputedGolden): string[] {
  return [`   ${printable(name)}`, ...tests.map((test) => `     ${printable(test)}`), dim('     Give each test its own golden.')]
}

/** What a reporter writes in addition to its line. */
export interface GoldenReporterOptions {
  /**
   * A file for failures as JSON: a list of reports, each change once (`docs/report.schema.json`). Default: the environment variable
   * `GOLDENRUN_JSON_FILE`, or none.
   */
  readonly jsonFile?: string
  /**
   * A file for the same reports as Markdown, for a comment on a pull request. Default: the environment variable `GOLDENRUN_MARKDOWN_FILE`, or none.
   * In GitHub Actions, the Markdown is also added to the job's summary.
   */
  readonly markdownFile?: string
}

/** What a test runner provides to its reporter. */
export interface ReporterSurroundings {
  /** The folder that relative paths start from. */
  readonly root: string
  /** Whether changes are accepted, as with `-u`. */
  readonly isUpdate: boolean
  /** The title of the counts, as wide as the runner's own titles. */
  readonly title: string
  /** The title of the list of pages. Default: the runner lists them itself. */
  readonly pages?: string
  print(text: string): void
}

/**
 * Reports on the goldens of a test run: prints one line and writes the requested files. With `-u`, lists the accepted changes, then writes them.
 *
 * @returns A problem other than failing tests, as a sentence: tests that would rebase a golden to different texts. Undefined if there is none.
 */
export async function reportGoldens(
  results: readonly GoldenResult[],
  options: GoldenReporterOptions,
  { root, isUpdate, title, pages, print }: ReporterSurroundings,
): Promise<string | undefined> {
  if (results.length === 0) return undefined
  const gathered = gatherResults(results)
  const rebases = rebaseLines(gathered)
  if (rebases.length > 0) print(printableStyled(rebases.join('\n')))
  await writeRebased(gathered, results)
  const isAccepted = isUpdate || gathered.goldens.some(({ status }) => status === 'recorded')
  const isWell = gathered.goldens.every(({ status }) => wellDone.has(status))
  if (isAccepted && isWell && !isCI()) await renewAll(gathered.goldens, print)
  for (const { name, status } of gathered.goldens) if (wellDone.has(status)) removeRedPages(name)
  print(
    printableStyled([summaryLine(title, gathered.goldens), ...nativeLines(title, results), ...pageLines(pages, results), ''].join('\n')),
  )
  await writeReports(gathered, options, root)
  if (gathered.disputed.length === 0) return undefined
  return `Tests disagree on the changes to ${gathered.disputed.map(({ name }) => name).join(', ')}, so nothing was written there.`
}

/** Writes down what the accepted runs of the agents were made of. */
async function renewAll(goldens: readonly GoldenResult[], print: (text: string) => void): Promise<void> {
  // Loaded on demand, because the reporter is loaded in every test run.
  const { renewOf } = await import('../accepted/renew-of.ts')
  const lines = await renewOf(
    goldens.map(({ file }) => path.resolve(file)),
    false,
  )
  if (lines.length > 0) print(printableStyled(lines.map((line) => ` ${line}`).join('\n')))
}

/** The statuses of goldens without a problem. */
const wellDone: ReadonlySet<GoldenResult['status']> = new Set(['held', 'rebased', 'recorded'])

/** A runner's own process keeps its network, which native code may use. */
function nativeLines(title: string, results: readonly GoldenResult[]): string[] {
  const names = [...new Set(results.flatMap(({ native = [] }) => native))].toSorted()
  if (names.length === 0) return []
  const words = `Not without a network, which native code could use: ${names.join(', ')}. For a replay without one: ${ownCommand('replay')}`
  return [`${' '.repeat(title.length)} ${yellow(printable(words))}`]
}

/** The most pages that are listed; further ones are only counted. */
const LISTED = 5

/** Lists the pages, one per line. */
function pageLines(title: string | undefined, results: readonly GoldenResult[]): string[] {
  if (title === undefined) return []
  const pages = [...new Set(results.flatMap(({ page }) => (page === undefined ? [] : [page])))].toSorted()
  const problems = new Set(results.flatMap(({ pageProblem }) => (pageProblem === undefined ? [] : [pageProblem])))
  const more = pages.length - LISTED
  const lines = [...pages.slice(0, LISTED), ...(more > 0 ? [`and ${more} more in ${path.dirname(pages[0] ?? '')}`] : []), ...problems]
  return lines.map((line, index) => `${index === 0 ? title : ' '.repeat(title.length)} ${printable(line)}`)
}

async function writeReports({ findings, goldens }: GatheredResults, options: GoldenReporterOptions, root: string): Promise<void> {
  const jsonFile = options.jsonFile ?? fileFrom('GOLDENRUN_JSON_FILE')
  const markdownFile = options.markdownFile ?? fileFrom('GOLDENRUN_MARKDOWN_FILE')
  const json = findings.map(({ json: report, alsoIn }) => ({ ...report, ...(alsoIn.length > 0 && { alsoIn }) }))
  if (jsonFile !== undefined) await write(path.resolve(root, jsonFile), `${JSON.stringify(json, null, 2)}\n`)
  const summary = process.env['GITHUB_STEP_SUMMARY'] ?? ''
  if (markdownFile === undefined && summary === '') return
  // Loaded on demand, because the reporter is loaded in every test run.
  const { findingsToMarkdown, tellCounts } = await import('../../divergence/report/print-groups.ts')
  const markdown = `${findings.length === 0 ? '' : `${findingsToMarkdown(findings)}\n\n`}${tellCounts(goldens.map(({ status }) => status))}\n`
  if (markdownFile !== undefined) await write(path.resolve(root, markdownFile), markdown)
  if (summary !== '') await appendFile(summary, `## Golden traces\n\n${markdown}`)
}

/** Returns the path of a file from the environment. A relative path starts at the project's root, as in the options. */
function fileFrom(variable: 'GOLDENRUN_JSON_FILE' | 'GOLDENRUN_MARKDOWN_FILE'): string | undefined {
  const file = process.env[variable] ?? ''
  return file === '' ? undefined : file
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}
