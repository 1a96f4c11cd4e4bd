import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJestWorkspace, expectPassed, type JestResult, type JestWorkspace } from '../support/jest-workspace.ts'

let workspace: JestWorkspace

beforeAll(async () => {
  workspace = await createJestWorkspace()
}, 60_000)

afterAll(() => workspace[Symbol.asyncDispose]())

const agentFile = (greeting: string): string => `exports.greet = async ({ name }) => {
  const { tool } = require('goldenrun')
  const find = tool('find_name', { effect: 'read' }, async ({ name }) => 'Mr. ' + name)
  return ${greeting} + await find({ name, greeting: ${greeting} })
}
`

const files = {
  'jest.config.cjs': "module.exports = { preset: 'goldenrun/jest' }\n",
  'goldenrun.config.mjs': "export default { agents: { greet: './src/agent.js#greet' } }\n",
  'src/agent.js': agentFile("'Hello '"),
  'test/greet.test.js': `const { replay } = require('goldenrun/jest')
const { greet } = require('../src/agent.js')
test('greets', async () => {
  const run = await replay('greet', greet, { input: { name: 'Ada' } })
  expect(run).toReplayWithoutDivergence()
  expect(run).toHaveOutcome({ status: 'returned', output: expect.stringContaining('Mr. Ada') })
})
`,
}

let golden = ''

/** The files, and the golden that one of them records. */
async function withGolden(changed: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  if (golden === '') {
    const recorded = await workspace.jest(files, {
      env: { GOLDENRUN: 'record' },
      args: ['--testPathPatterns', 'test/greet'],
      withTransforms: true,
    })
    expectPassed(recorded, 1)
    golden = await readFile(path.join(recorded.folder, 'golden-traces/greet.jsonl'), 'utf8')
  }
  return { ...files, 'golden-traces/greet.jsonl': golden, ...changed }
}

const run = (all: Record<string, string>, args: readonly string[] = [], env: Record<string, string> = {}): Promise<JestResult> =>
  workspace.jest(all, { args, env, withTransforms: true })

it('runs each golden as a test file, and counts it with those that tests name', async () => {
  const result = await run(await withGolden())
  expect(result.stderr).toContain('PASS golden-traces/greet.jsonl')
  expect(result.stderr).toContain('Goldens:     1 held (1)')
  expectPassed(result, 2)
})

it('is red with the report and the command that takes the change over, which ends green', async () => {
  const all = await withGolden({ 'src/agent.js': agentFile("'Good morning '") })
  const red = await run(all)
  expect(red.status).toBe(1)
  expect(red.stderr).toContain('To accept the new input: npx jest golden-traces/greet.jsonl -u')
  expect(red.stderr).toContain('To accept the new input: npx jest test/greet.test.js -u')
  // The golden file and the test by hand; both again in the summary.
  expect(new Set(red.stderr.match(/To stop there in a debugger: .*/g))).toEqual(
    new Set(['To stop there in a debugger: npx goldenrun debug greet --at 1']),
  )
  expect(red.stderr.match(/To stop there in a debugger: /g)?.length).toBeGreaterThanOrEqual(2)
  expect(red.stderr).toContain('Goldens:     1 not held (1)')
  expect(await readFile(path.join(red.folder, 'golden-traces/greet.jsonl'), 'utf8')).toBe(golden)

  for (const file of ['golden-traces/greet.jsonl', 'test/greet.test.js']) {
    const updated = await run(all, [file, '-u'])
    expect(updated.stderr).toContain('accepted in 1 golden:')
    expect(updated.stderr).toContain('Goldens:     1 rebased (1)')
    expectPassed(updated, 1)
    const rebased = await readFile(path.join(updated.folder, 'golden-traces/greet.jsonl'), 'utf8')
    const accepted = await readdir(path.join(updated.folder, 'golden-traces'))
    expect(accepted.filter((name) => name.endsWith('.accepted'))).toHaveLength(1)
    expect(updated.stderr).toContain('.accepted, so that a red report can say what has changed.')
    expectPassed(await run({ ...all, 'golden-traces/greet.jsonl': rebased }), 2)
  }
})

it('writes nothing in CI, nor where its reporter is not', async () => {
  const all = await withGolden({ 'src/agent.js': agentFile("'Good morning '") })
  const inCI = await run(all, ['-u'], { CI: 'true' })
  expect(inCI.status).toBe(1)
  expect(await readFile(path.join(inCI.folder, 'golden-traces/greet.jsonl'), 'utf8')).toBe(golden)
  expect(await readdir(path.join(inCI.folder, 'golden-traces'))).toEqual(['greet.jsonl'])
  const without = await run(all, ['-u', '--reporters', 'default'])
  expect(without.status).toBe(1)
  expect(without.stderr).not.toContain(' -u\n')
  expect(without.stderr).toContain('GOLDENRUN=record npx jest test/greet.test.js')
  expect(await readFile(path.join(without.folder, 'golden-traces/greet.jsonl'), 'utf8')).toBe(golden)
})

it('writes what does not hold to the files that are asked for', async () => {
  const all = await withGolden({ 'src/agent.js': agentFile("'Good morning '") })
  const { folder } = await run(all, [], { GOLDENRUN_JSON_FILE: 'reports/goldens.json', GOLDENRUN_MARKDOWN_FILE: 'reports/goldens.md' })
  const reports = JSON.parse(await readFile(path.join(folder, 'reports/goldens.json'), 'utf8')) as { headline: string }[]
  expect(reports.map(({ headline }) => headline)).toEqual(['Failed to replay "greet": step 1 diverged (input: args).'])
  expect(await readFile(path.join(folder, 'reports/goldens.md'), 'utf8')).toContain('1 golden trace: 1 not held.')
})

it('guards the whole file of a golden', async () => {
  const contact = "fetch('http://203.0.113.7/').catch(() => undefined)\n"
  const result = await run(await withGolden({ 'src/agent.js': contact + agentFile("'Hello '") }), ['golden-traces'])
  expect(result.stderr).toContain('goldenrun refused to contact 203.0.113.7:80 (tcp)')
  expect(result.stderr).toContain('Goldens:     1 held (1)')
  expect(result.status).toBe(0)
})

it('names both tests, and writes nothing, where they would take over different texts', async () => {
  const other = files['test/greet.test.js']
    .replace("'../src/agent.js'", "'../src/other.js'")
    .replace("test('greets'", "test('greets otherwise'")
  const all = await withGolden({
    'src/agent.js': agentFile("'Good morning '"),
    'src/other.js': agentFile("'Good evening '"),
    'test/other.test.js': other,
  })
  const result = await run(all, ['test', '-u'])
  expect(result.stderr).toContain('Not rebased because their tests disagree, 1 golden:')
  expect(result.stderr).toContain('test/greet.test.js > greets: would accept')
  expect(result.stderr).toContain('test/other.test.js > greets otherwise: would accept')
  expect(result.status).toBe(1)
  expect(await readFile(path.join(result.folder, 'golden-traces/greet.jsonl'), 'utf8')).toBe(golden)
})

it('says what is wrong with a golden that cannot be replayed', async () => {
  const all = await withGolden({ 'golden-traces/damaged.jsonl': '{"kind":"run"}\n', 'goldenrun.config.mjs': 'export default {}\n' })
  const { stderr, status } = await run(all, ['golden-traces'])
  expect(status).toBe(1)
  expect(stderr).toContain('golden-traces/damaged.jsonl')
  expect(stderr).toContain('goldenrun.config.mjs')
  expect(stderr).toContain('Goldens:     2 could not run (2)')
})

it('says in which environment a golden runs, where it is in another', async () => {
  const config = "module.exports = { ...require('goldenrun/jest/jest-preset').default, testEnvironment: 'node' }\n"
  const { stderr, status } = await run(await withGolden({ 'jest.config.cjs': config }), ['golden-traces'])
  expect(status).toBe(1)
  expect(stderr).toContain("A golden needs goldenrun's environment")
})

it('runs goldens in modules', async () => {
  const all = await withGolden({
    'package.json': '{ "name": "project", "private": true, "type": "module" }\n',
    'src/agent.js': agentFile("'Hello '")
      .replace('exports.greet =', 'export const greet =')
      .replace(/ {2}const \{ tool.*\n/, '')
      .replace(/^/, "import { tool } from 'goldenrun'\n"),
    'test/greet.test.js': '',
  })
  const { 'test/greet.test.js': _, ...rest } = all
  const result = await workspace.jest(rest, { node: ['--experimental-vm-modules'], withTransforms: true })
  expectPassed(result, 1)
})

it('adds goldens to a config that has settings of its own', async () => {
  const config = (inner: string): string =>
    `const { withGoldens } = require('goldenrun/jest/config')\nmodule.exports = withGoldens(${inner})\n`
  for (const inner of [
    "{ testMatch: ['<rootDir>/test/**/*.js'], reporters: ['summary'] }",
    "{ testRegex: 'greet\\\\.test\\\\.js$', moduleFileExtensions: ['js', 'json', 'cjs', 'mjs', 'node'] }",
    "{ projects: [{ displayName: 'unit', rootDir: __dirname }] }",
  ]) {
    const result = await run(await withGolden({ 'jest.config.cjs': config(inner) }))
    expect(result.stderr).toContain('Goldens:     1 held (1)')
    expect(result.status).toBe(0)
  }
})

it('counts the last attempt at a test that is tried again', async () => {
  const test = `const { replay } = require('goldenrun/jest')
const { greet } = require('../src/agent.js')
jest.retryTimes(1)
let tries = 0
describe('greeting', () => {
  test('greets in the end', async () => {
    tries += 1
    const run = await replay('greet', tries === 1 ? async () => 'no' : greet)
    expect(run).toReplayWithoutDivergence()
  })
})
`
  const result = await run(await withGolden({ 'test/greet.test.js': test }), ['test/greet'])
  expect(result.stderr).toContain('Goldens:     1 held (1)')
  expectPassed(result, 1)
})

it('names a test that would rebase a golden in two ways, and writes neither', async () => {
  const test = `const { replay } = require('goldenrun/jest')
const { greet } = require('../src/agent.js')
test('greets twice', async () => {
  for (const agent of [greet, async (input) => (await greet(input)) + '!']) expect(await replay('greet', agent)).toReplayWithoutDivergence()
})
`
  const all = await withGolden({ 'src/agent.js': agentFile("'Good morning '"), 'test/greet.test.js': test })
  const result = await run(all, ['test/greet', '-u'])
  expect(result.stderr.match(/test\/greet\.test\.js > greets twice: would accept 2 changes/g)).toHaveLength(2)
  expect(result.status).toBe(1)
  expect(await readFile(path.join(result.folder, 'golden-traces/greet.jsonl'), 'utf8')).toBe(golden)
})

it('writes a page for each golden that does not hold, and the reporter names it', async () => {
  const result = await run(await withGolden({ 'src/agent.js': agentFile("'Dear '") }))
  expect(result.stderr).toMatch(/\nGoldens: {5}1 not held \(1\)\nSee the runs: \.goldenrun\/pages\/greet\.red\.html\n/)
  expect(await readFile(path.join(result.folder, '.goldenrun/pages/greet.red.html'), 'utf8')).toContain('<title>greet · goldenrun</title>')
})
