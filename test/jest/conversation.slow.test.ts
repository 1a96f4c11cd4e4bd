import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJestWorkspace, expectPassed, type JestResult, type JestWorkspace } from '../support/jest-workspace.ts'
import { createPausingAgent, pausingSource, recordConversation, startShop, type Shop } from '../support/pausing-agent.ts'
import { runCommand } from '../support/run-command.ts'

let workspace: JestWorkspace
let shop: Shop
let files: Record<string, string>

const [first, second] = ['golden-traces/refund-talk/1.jsonl', 'golden-traces/refund-talk/2.jsonl']

beforeAll(async () => {
  workspace = await createJestWorkspace()
  shop = await startShop()
  files = {
    'jest.config.cjs': "module.exports = { preset: 'goldenrun/jest' }\n",
    'goldenrun.config.mjs': "export default { agents: { support: './src/agent.js#support' } }\n",
    'src/agent.js': pausingSource(shop.url, 'require'),
    ...(await promoteConversation()),
  }
}, 60_000)

afterAll(async () => {
  await shop[Symbol.asyncDispose]()
  await workspace[Symbol.asyncDispose]()
})

/** The goldens of a conversation. */
async function promoteConversation(): Promise<Record<string, string>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-test-'))
  // Nothing above the folder is taken for the project.
  await writeFile(path.join(folder, 'package.json'), '{}')
  await recordConversation(path.join(folder, '.goldenrun/runs'), createPausingAgent(shop.url))
  await runCommand(folder, ['promote', 'latest~1', 'latest', '--name', 'refund-talk', '--yes', '--no-replay'])
  const read = async (file: string): Promise<readonly [string, string]> => [file, await readFile(path.join(folder, file), 'utf8')]
  const goldens = Object.fromEntries([await read(first), await read(second)])
  await rm(folder, { recursive: true })
  return goldens
}

function withAgent(from: string, to: string): Record<string, string> {
  return { ...files, 'src/agent.js': files['src/agent.js']?.replace(from, to) ?? '' }
}

const run = (all: Record<string, string>, args: readonly string[] = [], env: Record<string, string> = {}): Promise<JestResult> =>
  workspace.jest(all, { args, env, withTransforms: true })

it('holds each golden of a conversation after those before it', async () => {
  const alone = await run(files, ['--testPathPatterns', 'refund-talk/2'])
  expect(alone.stderr).toContain('Goldens:     1 held (1)')
  expectPassed(alone, 1)
  expectPassed(await run(files), 2)
  const unchained = { ...files, [second]: files[second]?.replace(',"follows":"refund-talk/1"', '') ?? '' }
  expect((await run(unchained)).stderr).toContain('Goldens:     1 not held | 1 held (2)')
})

it('tells a change in the first run that spoils the second, and one that the first itself shows', async () => {
  const spoiled = await run(withAgent('amount: total', 'amount: total / 100'))
  expect(spoiled.stderr).toContain('Failed to replay "refund-talk/2": step 1 diverged (input: body)')
  expect(spoiled.stderr).toContain('Goldens:     1 not held | 1 held (2)')
  const changed = await run(withAgent('order: input.order })\n', "order: input.order, currency: 'usd' })\n"))
  expect(changed.stderr).toContain(
    '"refund-talk/2" was not judged, because it follows "refund-talk/1", which does not hold: step 1 diverged',
  )
  expect(changed.status).toBe(1)
})

it('accepts a change into all goldens of a conversation with one -u', async () => {
  const all = withAgent('JSON.stringify(body)', 'JSON.stringify({ ...body, version: 2 })')
  const { folder, stderr } = await run(all, ['-u'])
  expect(stderr).toContain('Goldens:     2 rebased (2)')
  expectPassed(await run({ ...all, ...(await readGoldens(folder)) }), 2)
})

it('records the whole conversation once, in order', async () => {
  const refunds = shop.refunds.length
  const recorded = await run(files, [], { GOLDENRUN: 'record' })
  expect(recorded.stderr).toContain('Goldens:     2 recorded (2)')
  expectPassed(recorded, 2)
  expect(shop.refunds).toHaveLength(refunds + 1)
  const goldens = await readGoldens(recorded.folder)
  expect(goldens[first]).not.toBe(files[first])
  expectPassed(await run({ ...files, ...goldens }), 2)
})

it('replays a conversation in tests of the project itself', async () => {
  const own = `const { replay } = require('goldenrun/jest')
const { support } = require('../src/agent.js')
test('refunds', async () => expect(await replay('refund-talk', support)).toReplayWithoutDivergence())
test('goes on', async () => expect(await replay('refund-talk/2', support)).toReplayWithoutDivergence())
`
  expectPassed(await run({ ...files, 'test/own.test.js': own }), 4)
})

async function readGoldens(folder: string): Promise<Record<string, string>> {
  const read = (file: string): Promise<string> => readFile(path.join(folder, file), 'utf8')
  return { [first]: await read(first), [second]: await read(second) }
}
