import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorsOfWorkflow } from '../support/github-schema.ts'
import { createRandom } from '../support/random.ts'
import { createVitestWorkspace, type VitestWorkspace } from '../support/vitest-workspace.ts'
import { commandsOf, missingLines } from './commands.ts'
import { createPageProject, type PageProject } from './page-project.ts'
import { type CodeBlock, type Page, readPages } from './pages.ts'

const pages = readPages()
// The page about an incident makes a project of its own: `incident.slow.test.ts`.
const withCode = pages.filter(({ path: page, blocks }) => blocks.length > 0 && page !== 'docs/incident.md')

const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())

/** What a new user reads, and so many of the others (`npm run test:full -- pages` runs them all). */
function draw(sample: string | undefined): readonly Page[] {
  if (sample === undefined) return withCode
  const isAlways = ({ path: page }: Page): boolean => ['README.md', 'docs/start.md', 'docs/vitest.md', 'docs/promoting.md'].includes(page)
  const others = createRandom(seed).shuffle(withCode.filter((page) => !isAlways(page)))
  return [...withCode.filter(isAlways), ...others.slice(0, Number(sample))]
}

it('finds the pages and their code', () => {
  expect(withCode.map(({ path: page }) => page)).toEqual(expect.arrayContaining(['README.md', 'docs/vitest.md', 'docs/redaction.md']))
})

describe(`code of the pages (GOLDENRUN_SEED=${seed})`, () => {
  let workspace: VitestWorkspace

  beforeAll(async () => {
    workspace = await createVitestWorkspace()
  }, 120_000)

  afterAll(() => workspace[Symbol.asyncDispose]())

  describe.each(draw(process.env['GOLDENRUN_SAMPLE']))('$path', (page) => {
    let project: PageProject

    beforeAll(async () => {
      project = await createPageProject(workspace, page)
    }, 120_000)

    afterAll(() => project[Symbol.asyncDispose]())

    it('has blocks that can be run, and no file twice', () => {
      expect(page.blocks.filter((block, index) => !isRunnable(block, page.blocks[index - 1])).map(({ place }) => place)).toEqual([])
      const files = page.blocks.flatMap(({ file }) => file ?? [])
      expect(files).toEqual([...new Set(files)])
    })

    it.each(typescript(page))(
      'compiles',
      async () => {
        expect(await project.run('tsc -p .')).toEqual({ status: 0, output: '' })
      },
      120_000,
    )

    it.each(typescript(page))(
      'passes its tests and goldens',
      async () => {
        const { status, output } = await project.run('npx vitest run')
        expect(status, output).toBe(0)
      },
      120_000,
    )

    it.each(modulesOf(page))('loads %s', async (file) => {
      const { status, output } = await project.run(`node ${file}`)
      expect(status, output).toBe(0)
    })

    it.each(page.blocks.filter(({ language }) => language === 'yaml'))(
      '$place is a workflow, or steps of one, as GitHub wants them',
      async ({ text }) => {
        const steps = text.replaceAll(/^/gm, '      ')
        const workflow = /^jobs:/m.test(text) ? text : `on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`
        expect(await errorsOfWorkflow(workflow)).toEqual([])
      },
    )

    const blocks = page.blocks.filter((block) => !isRunElsewhere(block))
    const commands = blocks.flatMap((block, index) => commandsOf(block, blocks[index + 1]))
    // In their order, in one project.
    for (const { place, line, status, printed } of commands) {
      it(`${place}: ${line}`, async () => {
        const outcome = await project.run(asRun(line))
        expect(outcome.status, outcome.output).toBe(status)
        expect(missingLines(outcome.output, printed), outcome.output).toEqual([])
      }, 120_000)
    }
  })
})

/** Files are named by their first line; commands and what they print need no name. `text` is a form, and no output. */
function isRunnable(block: CodeBlock, before: CodeBlock | undefined): boolean {
  if (['sh', 'text', 'yaml'].includes(block.language)) return true
  return block.language === '' ? before?.language === 'sh' : block.file !== undefined
}

/** The page where it has TypeScript, or nothing. */
function typescript(page: Page): Page[] {
  return page.blocks.some(({ language }) => language === 'ts') ? [page] : []
}

/** The modules of a page that neither a runner nor goldenrun loads. */
function modulesOf({ blocks }: Page): string[] {
  return blocks
    .flatMap(({ file }) => file ?? [])
    .filter((file) => /\.[mc]?[jt]s$/.test(file) && !/(\.(test|config|setup)|-environment)\.\w+$/.test(file))
}

/** Blocks of the README that have tests of their own: `test/demo/demo.slow.test.ts`, and `test/first-red-run.slow.test.ts`. */
const ranElsewhere = ['npm ci && npm run demo\n', 'npm install --save-dev goldenrun\n']

function isRunElsewhere({ place, text }: CodeBlock): boolean {
  return place.startsWith('README.md') && ranElsewhere.some((first) => text.startsWith(first))
}

/** What is there already is not downloaded but replaced, and nobody is there to be asked. */
function asRun(command: string): string {
  if (/^npm (i|install|ci)\b/.test(command)) {
    const names = command
      .split(' ')
      .slice(2)
      .filter((word) => !word.startsWith('-'))
    return names.map((name) => `test -e node_modules/${name}`).join(' && ') || 'true'
  }
  return command.includes('goldenrun promote') ? `${command} --yes --force` : command
}
