import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LoopbackRegistry, startRegistry } from '../support/loopback-registry.ts'
import { runLine } from '../support/packed-project.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'
import { commandsOf, missingLines } from './commands.ts'
import { readPage, REPOSITORY } from './pages.ts'

const { blocks } = readPage('docs/incident.md')
const commands = blocks.flatMap((block, index) => commandsOf(block, blocks[index + 1]))
const files = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [{ file, text }]))

let registry: LoopbackRegistry
let directory: TemporaryDirectory

// Nothing is here but an empty folder, and a registry that has the packed package.
beforeAll(async () => {
  registry = await startRegistry()
  directory = await createTemporaryDirectory()
  for (const { file, text } of files) {
    await mkdir(path.dirname(directory.resolve('support', file)), { recursive: true })
    await writeFile(directory.resolve('support', file), text)
  }
}, 120_000)

afterAll(async () => {
  await directory[Symbol.asyncDispose]()
  await registry[Symbol.asyncDispose]()
})

it('goes through the whole workflow, for both incidents', () => {
  const workflow = ['list --tag user=', 'replay', 'inspect', 'fork', 'diff', 'promote', 'npx vitest', 'sed', 'verify', 'view']
  for (const step of workflow) expect(commands.map(({ line }) => line)).toContainEqual(expect.stringContaining(step))
  expect(commands.flatMap(({ line }) => /promote .*--name (\S+)/.exec(line)?.[1] ?? [])).toEqual(['refund-twice', 'search-loop'])
})

// In their order, in one project.
for (const { place, line, status, printed } of commands) {
  it(`${place}: ${line}`, async () => {
    const { status: ended, output } = await runLine(line, directory.resolve('support'), {
      npm_config_registry: registry.url,
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    })
    expect(ended, output).toBe(status)
    expect(missingLines(withoutChance(output), withoutChance(printed)), output).toEqual([])
  }, 240_000)
}

it('leaves two goldens, and a page of each', async () => {
  expect(await readdir(directory.resolve('support/golden-traces'))).toEqual(['refund-twice.jsonl', 'search-loop.jsonl'])
  for (const golden of ['refund-twice', 'search-loop'])
    expect(existsSync(directory.resolve(`support/.goldenrun/pages/${golden}.html`))).toBe(true)
})

it.each([
  [2, 'failed'],
  [60, 'repeated'],
])(
  'is red with at most %i turns, as the page says: %s',
  async (turns, verdict) => {
    const agent = directory.resolve('support/src/agent.ts')
    const text = await readFile(agent, 'utf8')
    expect(text).toContain('MOST_TURNS = 6\n')
    const limited = text.replace('MOST_TURNS = 6\n', `MOST_TURNS = ${turns}\n`).replace('policies.once', 'policies.always')
    await writeFile(agent, limited)
    const { status, output } = await runLine('npx goldenrun replay search-loop', directory.resolve('support'), {})
    await writeFile(agent, text)
    expect(status, output).toBe(1)
    expect(output).toContain(`1 trace replayed: 1 ${verdict}.`)
  },
  60_000,
)

it('prints the files of examples/incident, and all of them', async () => {
  const example = path.join(REPOSITORY, 'examples/incident')
  const there = await readdir(example, { recursive: true })
  expect(files.map(({ file }) => file).toSorted()).toEqual(
    there.filter((file) => path.extname(file) !== '' && !file.startsWith('.goldenrun')).toSorted(),
  )
  for (const { file, text } of files) {
    const named = file.endsWith('.json') ? '' : `// ${file}\n`
    expect(text).toBe(`${named}${await readFile(path.join(example, file), 'utf8')}`)
  }
})

/** What a command prints, without ids, times, sizes and versions, which differ from run to run. */
function withoutChance(output: string): string {
  return stripVTControlCharacters(output)
    .replaceAll(/\b\d{8}-\d+-[0-9a-f]+/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, '<time>')
    .replaceAll(/\d+(?:\.\d+)? (?:ms|s)\b/g, '<ms>')
    .replaceAll(/ \d+ms$/gm, '')
    .replaceAll(/\d+(?:\.\d+)? kB/g, '<size>')
    .replaceAll(/ran on .*$/gm, 'ran on <versions>')
    .replaceAll(/ {2,}/g, ' ')
}
