import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJestWorkspace, expectPassed, type JestWorkspace } from '../support/jest-workspace.ts'
import { environmentConfig, recordFile } from './files.ts'

let workspace: JestWorkspace
beforeAll(async () => {
  workspace = await createJestWorkspace()
})
afterAll(() => workspace[Symbol.asyncDispose]())

const base = { 'jest.config.cjs': environmentConfig, 'record.js': recordFile }

it("guards a module's worker during a replay, but not tests and their hooks", async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('hello')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { readonly port: number }
  const result = await workspace.jest({
    ...base,
    'queue.js': `let wake
const jobs = []
void (async () => {
  for (;;) {
    await new Promise((resolve) => (wake = resolve))
    await jobs.shift()()
  }
})()
module.exports = (job) => new Promise((resolve) => {
  jobs.push(() => job().then(resolve, resolve))
  wake()
})`,
    'a.test.js': `const { replay } = require('goldenrun/jest')
const { record } = require('./record.js')
const later = require('./queue.js')

const ask = async (path) => (await fetch('http://127.0.0.1:${port}' + path)).text()
let go
let fromHook
beforeEach(() => {
  fromHook = new Promise((resolve) => (go = resolve)).then(() => ask('/hook'))
})

test.each([1, 2])('is refused %s', async () => {
  const file = await record(async () => 'done')
  const run = await replay(file, async () => {
    await later(() => ask('/lost'))
    return 'done'
  })
  expect(run.divergences.map(({ cause, name }) => cause + ' ' + name)).toEqual(['unrecorded-contact tcp 127.0.0.1:${port}'])
  expect(run).not.toReplayWithoutDivergence()
})

test('passes', async () => {
  const file = await record(async () => 'done')
  const own = new Promise((resolve) => setTimeout(resolve, 1)).then(() => ask('/own'))
  const run = await replay(file, async () => {
    go()
    await new Promise((resolve) => setTimeout(resolve, 10))
    return 'done'
  })
  expect(run).toReplayWithoutDivergence()
  expect([await own, await fromHook]).toEqual(['hello', 'hello'])
})

test('calls back', (done) => {
  setTimeout(() => ask('/called').then((text) => done(text === 'hello' ? undefined : text)), 1)
})
`,
  })
  expectPassed(result, 4)
  expect(asked.toSorted()).toEqual(['/called', '/hook', '/own'])
  server.close()
})

it.runIf('execve' in process)(
  'refuses that another program replaces this one, though Jest gives tests a process of its own making',
  async () => {
    const result = await workspace.jest({
      ...base,
      'a.test.js': `const { replay } = require('goldenrun/jest')
const { record } = require('./record.js')

test.each([() => process, () => require('node:process')])('is refused %#', async (find) => {
  const file = await record(async () => 'done')
  const run = await replay(file, async () => {
    try {
      find().execve(process.execPath, [process.execPath, '-e', ''], {})
    } catch {}
    return 'done'
  })
  expect(run.divergences.map(({ cause, name }) => cause + ' ' + name)).toEqual(['unrecorded-contact child process node'])
})
`,
    })
    expectPassed(result, 2)
  },
)
