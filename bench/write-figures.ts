import { readFile, writeFile } from 'node:fs/promises'
import { describeMachine, type Figures, toTable } from './figures.ts'

const FILE = 'docs/performance.md'

const HEAD = `# Performance

Written by \`npm run bench -- <suite> --write\`, which measures a suite and replaces its section here. A ratio of times is the median over
interleaved rounds in one process, by the clock on the wall where it does not say CPU time; below 1, goldenrun takes less. Busy machines
move the ratios some, and the times a lot. \`reaches\` and \`misses\` are said of the goal: at most so much.
`

/**
 * Writes a suite's figures into its section of docs/performance.md, and leaves the other suites' as they are.
 *
 * @returns The file's path in the project.
 */
export async function writeFigures(figures: Figures): Promise<string> {
  const file = new URL(`../${FILE}`, import.meta.url)
  const sections = readSections(await readText(file))
  sections.set(figures.suite, formatSection(figures))
  await writeFile(file, [HEAD, ...sections.values()].join('\n'))
  return FILE
}

/** The sections of suites, by name, each from its heading on. */
function readSections(text: string): Map<string, string> {
  const [, ...sections] = text.split(/^(?=## )/m)
  return new Map(sections.map((section) => [section.slice(3, section.indexOf('\n')), `${section.trimEnd()}\n`]))
}

function formatSection(figures: Figures): string {
  const [head = [], ...rows] = toTable(figures).map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
  const date = new Date().toISOString().slice(0, 10)
  return `## ${figures.suite}\n\n\`npm run bench -- ${figures.suite}\`, ${date}, ${describeMachine(figures)}.\n\n${lines.join('\n')}\n`
}

async function readText(file: URL): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
