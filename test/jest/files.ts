/** Files of projects whose tests run in Jest, in plain JavaScript. */

export const environmentConfig = "module.exports = { testEnvironment: 'goldenrun/jest/environment' }\n"

/** Records an agent in a store of its own, and gives the path of the recording. */
export const recordFile = `const { mkdtempSync, readdirSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { createRecorder } = require('goldenrun')

exports.record = async (agent) => {
  const store = mkdtempSync(join(__dirname, 'runs-'))
  const recorder = createRecorder({ store })
  await recorder.run({ agent: 'agent', input: {} }, agent).catch(() => undefined)
  await recorder.close()
  return join(store, readdirSync(store)[0])
}
`

/** The start of a test file: an agent, its recording, and `play(name?)`, which begins a replay of it. */
export const playFile = `const { tool } = require('goldenrun')
const { replay } = require('goldenrun/jest')
const { record } = require('./record.js')

const look = tool('look', {}, async () => 1)
const agent = async () => await look()
const recorded = record(agent)
let file
beforeAll(async () => {
  file = await recorded
})
const play = (name = file) => replay(name, agent)
`

/** Reads every clock, draws, and waits, through Node's modules and through globals, some of which were taken hold of when the module was loaded. */
export const drawingAgent = `const crypto = require('node:crypto')
const timers = require('node:timers')
const { scheduler, setTimeout: sleep } = require('node:timers/promises')
const { promisify } = require('node:util')

const { randomUUID } = crypto
const { now } = Date
const { random } = Math
const wait = promisify(setTimeout)
const format = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'full' }).format

exports.agent = async () => {
  const drawn = [crypto.randomUUID(), crypto.randomInt(2 ** 40), globalThis.crypto.randomUUID(), Math.random()]
  const early = [randomUUID(), now(), random()]
  await sleep(10)
  await scheduler.wait(10)
  await wait(10)
  await new Promise((resolve) => timers.setTimeout(resolve, 10))
  await new Promise((resolve) => setTimeout(resolve, 200))
  const times = [Date.now(), new Date().toISOString(), format(), performance.now(), String(process.hrtime.bigint()), process.uptime()]
  return { drawn, early, times }
}
`

export const drawingTest = `const { replay } = require('goldenrun/jest')
const { agent } = require('./agent.js')
const { record } = require('./record.js')

test('replays what it recorded', async () => {
  const file = await record(agent)
  for (let time = 0; time < 2; time += 1) {
    const run = await replay(file, agent)
    expect(run).toReplayWithoutDivergence()
    expect(run.hash).toBe(run.trace.hash)
    expect(run.virtualMs).toBeGreaterThanOrEqual(200)
  }
})
`
