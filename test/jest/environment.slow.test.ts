import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJestWorkspace, expectPassed, type JestWorkspace } from '../support/jest-workspace.ts'
import { drawingAgent, drawingTest, environmentConfig, recordFile } from './files.ts'

let workspace: JestWorkspace

beforeAll(async () => {
  workspace = await createJestWorkspace()
})
afterAll(() => workspace[Symbol.asyncDispose]())

it('replays in CommonJS what was recorded there, and says nothing', async () => {
  const result = await workspace.jest({
    'jest.config.cjs': environmentConfig,
    'record.js': recordFile,
    'agent.js': drawingAgent,
    'a.test.js': drawingTest,
    'b.test.js': drawingTest,
  })
  expectPassed(result, 2)
  expect(result.stderr).not.toContain('goldenrun/register')
})

it('replays in modules what was recorded there', async () => {
  const asModule = (text: string): string =>
    text
      .replaceAll(
        /const (\{[^}]+\}|\w+) = require\(('[^']+')\)/g,
        (_line, names: string, from: string) => `import ${names.replaceAll(':', ' as')} from ${from}`,
      )
      .replaceAll('exports.', 'export const ')
      .replaceAll('__dirname', 'import.meta.dirname')
  const result = await workspace.jest(
    {
      'package.json': '{ "name": "project", "private": true, "type": "module" }\n',
      'jest.config.cjs': environmentConfig,
      'record.js': asModule(recordFile),
      'agent.js': asModule(drawingAgent),
      'a.test.js': asModule(drawingTest),
      'b.test.js': asModule(drawingTest),
    },
    { node: ['--experimental-vm-modules'] },
  )
  expectPassed(result, 2)
})

it('puts back what a test file leaves open, with a recorder and a replay still under way', async () => {
  const result = await workspace.jest(
    {
      'jest.config.cjs': environmentConfig,
      'record.js': recordFile,
      'agent.js': drawingAgent,
      'a.test.js': `const { createRecorder } = require('goldenrun')
const { replay } = require('goldenrun/jest')
const { record } = require('./record.js')

// A test would fail that leaves a replay behind.
beforeAll(async () => {
  void createRecorder({ store: 'open' }).run({ agent: 'waiting', input: {} }, () => new Promise(() => undefined))
  const file = await record(async () => 1)
  let entered
  const begun = new Promise((resolve) => (entered = resolve))
  void replay(file, () => { entered(); return new Promise((resolve) => require('node:zlib').deflate(Buffer.alloc(1e7), resolve)) })
  await begun
})
test('leaves a recording and a replay', () => undefined)
`,
      'b.test.js': `/** @jest-environment node */
const process = require('node:vm').runInThisContext('process')

test('finds none of it', () => {
  const outside = require('node:vm').runInThisContext('globalThis')
  const own = /goldenrun|currentScope|isReplacement/
  const replaced = [
    require('node:http').Agent.prototype.addRequest, require('node:crypto').randomUUID, require('node:net').Socket.prototype.connect,
    require('node:events').init, require('node:timers').setTimeout, require('node:timers/promises').setTimeout, Performance.prototype.now,
    AbortSignal.timeout, fetch, Date, Date.now, Math.random, setTimeout, outside.fetch, outside.Date, outside.setTimeout,
  ].filter((value) => own.test(String(value)))
  expect(replaced).toEqual([])
  const dispatchers = Object.getOwnPropertySymbols(outside).filter((key) => String(key).includes('undici')).map((key) => outside[key])
  expect(dispatchers.length).toBeGreaterThan(0)
  expect(dispatchers.filter((dispatcher) => require('node:util').types.isProxy(dispatcher))).toEqual([])
  expect(Reflect.ownKeys(globalThis).filter((key) => String(key).includes('goldenrun'))).toEqual([])
  expect(process.env.OPENAI_API_KEY).toBe('')
})
`,
      'c.test.js': drawingTest,
    },
    { env: { OPENAI_API_KEY: '' } },
  )
  expectPassed(result, 3)
})

it('says what to do in a test file of another environment, where the root entry is there all the same', async () => {
  const result = await workspace.jest({
    'a.test.js': `test('loads what an agent needs', async () => {
  const { tool } = require('goldenrun')
  expect(await tool('add', {}, async (a, b) => a + b)(1, 2)).toBe(3)
})
test('needs the environment', () => {
  expect(() => require('goldenrun/jest')).toThrow(
    "goldenrun/jest needs goldenrun's environment, which this test file does not use. " +
      "Set testEnvironment: 'goldenrun/jest/environment' in Jest's config, " +
      'or write /** @jest-environment goldenrun/jest/environment */ at the top of the file.',
  )
})
`,
    'b.test.js': `/** @jest-environment goldenrun/jest/environment */
test('has it', () => expect(typeof require('goldenrun/jest').replay).toBe('function'))
`,
  })
  expectPassed(result, 3)
})

it('sets keys that are not set to stand-ins, after setup files, and not to record', async () => {
  const files = {
    'jest.config.cjs': environmentConfig.replace('{ ', "{ setupFiles: ['./setup.js'], "),
    'setup.js': "process.env.OPENAI_API_KEY = 'sk-of-the-user'\n",
    'a.test.js': `test('keys', () => {
  expect([process.env.OPENAI_API_KEY, process.env.ANTHROPIC_API_KEY]).toEqual(['sk-of-the-user', process.env.WANTED])
})
`,
  }
  const unset = { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '' }
  expectPassed(await workspace.jest(files, { env: { ...unset, WANTED: 'goldenrun-stand-in-ANTHROPIC_API_KEY' } }), 1)
  expectPassed(await workspace.jest(files, { env: { ...unset, WANTED: '', GOLDENRUN: 'record' } }), 1)
})

it('goes with any environment of Jest, by withGoldenrun', async () => {
  const result = await workspace.jest({
    'environment.js': `const { TestEnvironment } = require('goldenrun/jest/environment')
const { withGoldenrun } = require('goldenrun/jest/environment')
const Node = Object.getPrototypeOf(TestEnvironment)

module.exports = withGoldenrun(class extends Node {
  async setup() {
    await super.setup()
    this.global.ofTheUser = 'here'
  }
})
`,
    'jest.config.cjs': "module.exports = { testEnvironment: './environment.js' }\n",
    'record.js': recordFile,
    'agent.js': drawingAgent,
    'a.test.js': `${drawingTest}
test('has what the other environment brings', () => expect(ofTheUser).toBe('here'))
`,
  })
  expectPassed(result, 2)
})

it('needs no import in tests where a setup file is goldenrun/jest, and finds the goldens of a package beside its tests', async () => {
  const golden = await readFile(new URL('../../golden-traces/cancel-unshipped-support-openai.jsonl', import.meta.url), 'utf8')
  const result = await workspace.jest({
    'jest.config.cjs': environmentConfig.replace('{ ', "{ setupFilesAfterEnv: ['goldenrun/jest'], "),
    'packages/support/package.json': '{ "name": "support", "private": true }\n',
    'packages/support/golden-traces/cancel-unshipped.jsonl': golden,
    'packages/support/a.test.js': `const { replay } = require('goldenrun/replay')

test('has the matchers', async () => {
  await expect(replay('cancel-unshipped', async () => undefined)).toDivergeAt(1, 'missing-call')
})
`,
  })
  expectPassed(result, 1)
})
