import { readFile, writeFile } from 'node:fs/promises'
import { describeMachine, type Figures, toTable } from './figures.ts'

/** A page of figures. */
interface Page {
  /** Its path in the project. */
  readonly file: string
  /** The text above its sections. */
  readonly head: string
}

const PERFORMANCE: Page = {
  file: 'docs/performance.md',
  head: `# Performance

Written by \`npm run bench -- <suite> --write\`, which measures a suite and replaces its section here.

- A ratio of times is the median over interleaved rounds, in wall time unless the row says CPU time. Below 1, goldenrun
  takes less. Busy machines change the ratios a little, and the times a lot.
- \`reaches\` and \`misses\` say whether the value meets its goal. If a row says that a median is below a bound with 95 %,
  the bound has to meet it.
`,
}

const VERDICTS: Page = {
  file: 'docs/verdicts.md',
  head: `# Verdicts

Five agents are changed in their own files, as in a pull request: a shop's desk that serves the customers of real runs,
research with parallel searches and streams, a programmer's loop of thirty calls, payments with retries and keys, and a
planner on the AI SDK.

Each change is declared before it runs: benign, harmful (from which call on, and with which cause), or undecidable from
a recording. Each changed agent then runs in the world of each recorded run, without goldenrun. That world has servers
and tools of its own and writes down what it sees: requests, the answers that were known by then, aborted calls, calls
after the return, checkpoints, and what was returned. It compares by value, and shares no code and no rule with
goldenrun. If it disagrees with a declaration, the bench ends. Otherwise the golden of the run is replayed with the
changed agent: the first divergence has to be at the declared call, with the declared cause.

Two other tools are tried on runs of the desk, with the test that a team would write with them: the desk returns what it
returned when it was recorded, and no request lacks a recording. aimock answers the model strictly while the tools are
live. vitest-evals answers the tools strictly while the model is live; its option \`replay.key\` leaves out newly drawn
ids. Each tool is tried on those runs for which its test is green with the unchanged desk.

The section \`verdicts\` is written by \`npm run bench -- verdicts --write\`. Other sections are written by hand, and stay.
`,
}

const PAGES: Readonly<Record<string, Page>> = { verdicts: VERDICTS }

/**
 * Writes a suite's figures into its section of its page. Other suites' sections stay unchanged.
 *
 * @returns The file's path in the project.
 */
export async function writeFigures(figures: Figures): Promise<string> {
  const page = PAGES[figures.suite] ?? PERFORMANCE
  const file = new URL(`../${page.file}`, import.meta.url)
  await writeFile(file, replaceSection(await readText(file), page.head, figures))
  return page.file
}

/** Returns a page with a suite's section replaced. Other sections, written by hand or by other suites, stay unchanged. */
export function replaceSection(text: string, head: string, figures: Figures): string {
  const sections = readSections(text)
  sections.set(figures.suite, formatSection(figures))
  return [head, ...sections.values()].join('\n')
}

/** Returns the sections of suites by name, each from its heading on. */
function readSections(text: string): Map<string, string> {
  const [, ...sections] = text.split(/^(?=## )/m)
  return new Map(sections.map((section) => [section.slice(3, section.indexOf('\n')), `${section.trimEnd()}\n`]))
}

function formatSection(figures: Figures): string {
  const { suite, rows = [], remarks = [] } = figures
  const date = new Date().toISOString().slice(0, 10)
  const made = `\`npm run bench -- ${suite}\`, ${date}, ${describeMachine(figures)}.`
  const parts = [`## ${suite}`, made, formatTable(toTable(figures)), formatTable(rows), remarks.map((line) => `- ${line}`).join('\n')]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function formatTable(table: readonly (readonly string[])[]): string {
  const [head = [], ...rows] = table.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  return head.length === 0 ? '' : [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

async function readText(file: URL): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
