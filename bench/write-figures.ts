import { readFile, writeFile } from 'node:fs/promises'
import { describeMachine, type Figures, toTable } from './figures.ts'

/** A page of figures. */
interface Page {
  /** Its path in the project. */
  readonly file: string
  /** What stands above its sections. */
  readonly head: string
}

const PERFORMANCE: Page = {
  file: 'docs/performance.md',
  head: `# Performance

Written by \`npm run bench -- <suite> --write\`, which measures a suite and replaces its section here. A ratio of times is the median over
interleaved rounds, by the clock on the wall where it does not say CPU time; below 1, goldenrun takes less. Busy machines
move the ratios some, and the times a lot. \`reaches\` and \`misses\` are said of the goal: at most so much, and of a
median that is told to be below something with 95 %, that.
`,
}

const VERDICTS: Page = {
  file: 'docs/verdicts.md',
  head: `# Verdicts

Written by \`npm run bench -- verdicts --write\`. Two agents are changed in their own files, as somebody changes them in a pull request: a shop's
desk that serves the customers of the 32 real runs, and the example's support agent, over the project's own goldens. Each changed agent first
runs in the world of the recorded run, without goldenrun. That world writes down who was called with what, after which answers, which
checkpoints were reached and what the agent returned. What it saw of the changed agent against what it saw of the unchanged one says whether
the change did harm in that run, at which step it first shows, and how. Then the golden is replayed with the changed agent, and has to say the
same. Benign is what the world cannot tell.

Beside it, in the same run, stand two others with the test that a team would write with them: the desk returns what it returned when it was
recorded, and no request lacks a recording. aimock answers the model strictly while the tools are live; vitest-evals answers the tools strictly
while the model is live, with ids that are drawn anew left out of its keys, as its option for that asks. Each is asked of the runs with whose
unchanged desk its test is green.
`,
}

const PAGES: Readonly<Record<string, Page>> = { verdicts: VERDICTS }

/**
 * Writes a suite's figures into its section of its page, and leaves the other suites' as they are.
 *
 * @returns The file's path in the project.
 */
export async function writeFigures(figures: Figures): Promise<string> {
  const page = PAGES[figures.suite] ?? PERFORMANCE
  const file = new URL(`../${page.file}`, import.meta.url)
  const sections = readSections(await readText(file))
  sections.set(figures.suite, formatSection(figures))
  await writeFile(file, [page.head, ...sections.values()].join('\n'))
  return page.file
}

/** The sections of suites, by name, each from its heading on. */
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
