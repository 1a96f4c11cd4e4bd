import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJestWorkspace, expectPassed, type JestWorkspace } from '../support/jest-workspace.ts'
import { environmentConfig, recordFile } from './files.ts'

let workspace: JestWorkspace

beforeAll(async () => {
  workspace = await createJestWorkspace()
})
afterAll(() => workspace[Symbol.asyncDispose]())

const base = { 'jest.config.cjs': environmentConfig, 'record.js': recordFile }

it('gives agents values and errors of their own realm', async () => {
  const result = await workspace.jest({
    ...base,
    'a.test.js': `const { readFile } = require('node:fs/promises')
const { live, tool } = require('goldenrun')
const { replay } = require('goldenrun/jest')
const { record } = require('./record.js')

const look = tool('look', {}, async () => ({ list: [1, { when: new Date(0) }], map: new Map([[1, 2]]) }))
const fail = tool('fail', {}, async () => { throw new TypeError('no') })
const read = tool('read', {}, () => readFile(__filename, 'utf8'))
const extra = tool('extra', {}, async () => 0)

test('recorded outputs and errors', async () => {
  const agent = async () => {
    const seen = await look()
    const error = await fail().catch((reason) => reason)
    return [seen instanceof Object, seen.list instanceof Array, seen.list[1].when instanceof Date, seen.map instanceof Map, error instanceof TypeError]
  }
  const run = await replay(await record(agent), agent)
  expect(run).toReplayWithoutDivergence()
  expect(run.outcome).toStrictEqual({ status: 'returned', output: [true, true, true, true, true] })
  expect(run.steps[0].output).toStrictEqual({ list: [1, { when: new Date(0) }], map: new Map([[1, 2]]) })
})

test('answers that are given', async () => {
  const file = await record(async () => look())
  const run = await replay(file, async () => { await look(); return await extra() }, { answers: { extra: { given: [1] } } })
  expect(run.outcome).toStrictEqual({ status: 'returned', output: { given: [1] } })
})

test("promises of Node's own, which are of another realm", async () => {
  const agent = async () => [(await read()).length, (await live('a file', () => readFile(__filename, 'utf8'))).length]
  const run = await replay(await record(agent), agent, { tools: 'run' })
  expect(run).toReplayWithoutDivergence()
  expect(run.steps[0].output).toBe(await readFile(__filename, 'utf8'))
})
`,
  })
  expectPassed(result, 3)
})

it('records and answers HTTP of every kind, in runs side by side', async () => {
  const result = await workspace.jest({
    ...base,
    'a.test.js': `const http = require('node:http')
const net = require('node:net')
const { replay, readTrace } = require('goldenrun/jest')
const { record } = require('./record.js')

const early = fetch
let origin = ''

async function agent() {
  const json = await (await fetch(origin + '/fetch')).json()
  const raced = await Promise.all([1, 2, 3].map(async (n) => (await early(origin + '/race/' + n)).text()))
  const got = await new Promise((resolve) => http.get(origin + '/get', (message) => {
    let text = ''
    message.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text))
  }))
  return { json, raced, got }
}

let file
beforeAll(async () => {
  const server = http.createServer((request, response) => response.end(JSON.stringify({ path: request.url }))).listen(0)
  await new Promise((resolve) => server.once('listening', resolve))
  origin = 'http://localhost:' + server.address().port
  file = await record(agent)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('keeps each call', async () => {
  const names = (await readTrace(file)).steps.map(({ input }) => new URL(input.url).pathname)
  expect(names).toEqual(['/fetch', '/race/1', '/race/2', '/race/3', '/get'])
})
for (const name of ['one', 'another', 'a third']) {
  test.concurrent(name, async () => {
    const run = await replay(file, agent)
    expect(run).toReplayWithoutDivergence()
    expect(run.hash).toBe(run.trace.hash)
    expect(run.outcome.output).toMatchObject({ json: { path: '/fetch' }, got: '{"path":"/get"}' })
  })
}
test('refuses what it does not have', async () => {
  const run = await replay(file, async () => {
    await fetch(origin + '/fetch')
    await new Promise((resolve) => net.connect(9, '127.0.0.1').on('error', resolve))
  })
  expect(run.divergences[0]).toMatchObject({ cause: 'unrecorded-contact' })
  await expect(Promise.resolve(run)).not.toReplayWithoutDivergence()
})
`,
  })
  expectPassed(result, 5)
})

it('gives runs their own clock and timers, with fake ones in the test around them', async () => {
  const result = await workspace.jest({
    ...base,
    'a.test.js': `const { replay } = require('goldenrun/jest')
const { record } = require('./record.js')

const agent = async () => {
  const begun = Date.now()
  await new Promise((resolve) => setTimeout(resolve, 50))
  await new Promise((resolve) => process.nextTick(resolve))
  await new Promise((resolve) => queueMicrotask(resolve))
  return [begun, new Date().toISOString(), new Date() instanceof Date, performance.now(), String(process.hrtime.bigint())]
}
afterEach(() => jest.useRealTimers())

test.each([[{ now: 0 }], [{ now: 0, doNotFake: ['setTimeout'] }], [{ legacyFakeTimers: true }]])('%j', async (options) => {
  const file = await record(agent)
  jest.useFakeTimers(options)
  const tick = jest.fn()
  setTimeout(tick, 1000)
  expect(await replay(file, agent)).toReplayWithoutDivergence()
  if (options.now === 0) expect([Date.now(), new Date() instanceof Date]).toEqual([0, true])
  expect(tick).not.toHaveBeenCalled()
  if (options.doNotFake === undefined) {
    jest.advanceTimersByTime(1000)
    expect(tick).toHaveBeenCalledTimes(1)
  }
  jest.useRealTimers()
  expect(Date.now()).toBeGreaterThan(1e12)
  expect(await replay(file, agent)).toReplayWithoutDivergence()
})
`,
  })
  expectPassed(result, 3)
})

it('gives runs their own clock and timers where all tests have fake ones', async () => {
  const result = await workspace.jest({
    ...base,
    'jest.config.cjs': environmentConfig.replace('{ ', '{ fakeTimers: { enableGlobally: true }, '),
    'a.test.js': `const { replay } = require('goldenrun/jest')
const { record } = require('./record.js')

const agent = async () => {
  await new Promise((resolve) => setTimeout(resolve, 5))
  return Date.now()
}

test('fakes from the start', async () => {
  jest.useRealTimers()
  const file = await record(agent)
  jest.useFakeTimers()
  expect(await replay(file, agent)).toReplayWithoutDivergence()
})
`,
  })
  expectPassed(result, 1)
})

it('replays in the time zone of the trace, and leaves the zone of the process', async () => {
  const result = await workspace.jest(
    {
      ...base,
      'a.test.js': `const { readTrace, replay } = require('goldenrun/jest')
const { record } = require('./record.js')

test('zone', async () => {
  const agent = async () => new Date(0).toString()
  const { header, ...rest } = await readTrace(await record(agent))
  const elsewhere = { ...rest, header: { ...header, runtime: { ...header.runtime, timeZone: 'Asia/Tokyo' } } }
  expect((await replay(elsewhere, agent)).outcome.output).toContain('GMT+0900')
  expect(new Date(0).toString()).toContain('GMT+0000')
})
`,
    },
    { env: { TZ: 'UTC' } },
  )
  expectPassed(result, 1)
})

it('has one goldenrun in a test file, without globals and with modules reset', async () => {
  const result = await workspace.jest({
    'jest.config.cjs': environmentConfig.replace('{ ', '{ injectGlobals: false, resetModules: true, '),
    'record.js': recordFile,
    'a.test.js': `const { expect, jest, test } = require('@jest/globals')
const { tool } = require('goldenrun')
const { replay } = require('goldenrun/jest')

test('reset', async () => {
  const { record } = require('./record.js')
  const look = tool('look', {}, async () => 1)
  const file = await record(async () => look())
  jest.resetModules()
  const again = require('goldenrun').tool('look', {}, async () => 1)
  expect(require('goldenrun').tool).toBe(tool)
  for (const replayOf of [replay, require('goldenrun/jest').replay, require('goldenrun/replay').replay]) {
    expect(await replayOf(file, async () => again())).toReplayWithoutDivergence()
  }
})
`,
  })
  expectPassed(result, 1)
})

it('prints runs in snapshots, which are updated as Jest says', async () => {
  const files = {
    ...base,
    'a.test.js': `const { tool } = require('goldenrun')
const { replay } = require('goldenrun/jest')
const { record } = require('./record.js')

test('calls', async () => {
  const look = tool('look', {}, async () => ({ id: 'ord_1' }))
  const agent = async () => look({ order: 1 })
  expect((await replay(await record(agent), agent)).toolCalls).toMatchSnapshot()
})
`,
  }
  const written = await workspace.jest(files)
  expectPassed(written, 1)
  const snapshot = await readFile(path.join(written.folder, '__snapshots__/a.test.js.snap'), 'utf8')
  expect(snapshot).toContain('exports[`calls 1`] = `look({"order":1}) → {"id":"ord_1"}`;')
  const changed = { ...files, '__snapshots__/a.test.js.snap': snapshot.replace('ord_1', 'ord_2') }
  const refused = await workspace.jest(changed, { args: ['--ci'] })
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('+ look({"order":1}) → {"id":"ord_1"}')])
  expectPassed(await workspace.jest(changed, { args: ['-u'] }), 1)
})

it('describes tests for goldens by pattern, and fails with what is wrong with one', async () => {
  const golden = await readFile(new URL('../../golden-traces/cancel-unshipped-support-openai.jsonl', import.meta.url), 'utf8')
  const result = await workspace.jest({
    ...base,
    'golden-traces/cancel.jsonl': golden,
    'golden-traces/damaged.jsonl': golden.replace('"kind":"end"', '"kind":"and"'),
    'a.test.js': `const { describeGolden } = require('goldenrun/jest')

const agent = async () => undefined
describeGolden('{cancel,damaged}', agent, (golden, run) => {
  test('is given the golden and its run', async () => {
    expect(golden.input.ticket).toContain('ord_1002')
    await expect(run).toDivergeAt(1, 'missing-call')
  })
})
`,
    'b.test.js': "require('goldenrun/jest').describeGolden('cancell', async () => undefined, () => undefined)\n",
  })
  expect(result.stderr).toMatch(/golden-traces\/damaged\.jsonl:\d+: there is no row of kind "and"/)
  expect(result.stderr).toContain('No golden trace in golden-traces matches "cancell". The nearest are: cancel, damaged.')
  expect(result.stderr).toContain('Tests:       1 failed, 1 passed, 2 total')
})

it('continues when a refused call is not awaited and its error has no listener', async () => {
  const result = await workspace.jest({
    ...base,
    'a.test.js': `const http = require('node:http')
const { replay } = require('goldenrun/jest')
const { record } = require('./record.js')

const pause = () => new Promise((resolve) => setTimeout(resolve, 5))
const ask = async () => void (await fetch('http://127.0.0.1:4010/refunds', { method: 'POST' }))
const send = () => void http.request('http://127.0.0.1:4010/refunds', { method: 'POST' }).end()

test.each([['fetch', ask], ['http.request', send]])('%s', async (_, call) => {
  const run = await replay(await record(pause), async () => { void call(); await pause() })
  expect(run.divergences[0].cause).toBe('unexpected-call')
  await pause()
})
`,
  })
  expectPassed(result, 2)
})
