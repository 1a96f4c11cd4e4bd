import { scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { renderReport } from '../../src/divergence/report.ts'
import { tool } from '../../src/index.ts'
import { replay } from '../../src/replay.ts'
import { recordLateRun } from '../support/record-late-run.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

let world: LocalServer

beforeAll(async () => {
  world = await listen(async (_incoming, response) => {
    await sleep(20)
    response.end('done')
  })
})
afterAll(() => world.close())

const post = async (path: string): Promise<string> => (await fetch(`${world.url}/${path}`, { method: 'POST' })).text()
const save = tool('save', { effect: 'write' }, async (id: string) => {
  await sleep(10)
  return `saved ${id}`
})
const note = tool('note', { effect: 'write' }, async (id: string) => `noted ${id}`)
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
const drop = (left: Promise<unknown>): void => void left.catch(() => undefined)

const writes = { 'an HTTP call': () => post('log'), 'a tool': () => save('log') }

it.each(Object.entries(writes))('is red where the last write is no longer awaited: %s', async (_of, write) => {
  const agent = async (waits: boolean): Promise<string> => {
    const reply = await post('ask')
    if (waits) await write()
    else drop(write())
    return reply
  }
  const { trace } = await recordRun(() => agent(true))
  await expectClean(trace, () => agent(true))
  const run = await replay(trace, () => agent(false))
  expect(run.divergences).toMatchObject([{ cause: 'order', step: 2, position: 'at' }])
  const report = renderReport(run, { color: false, width: 120 })
  expect(report).toContain('The agent ended before this call was answered, but the recorded run waited for it.')
  expect(report).toContain('end-order.test.ts')
})

it.each(Object.entries(writes))('is red where a write that was left behind is awaited: %s', async (_of, write) => {
  const agent = async (waits: boolean): Promise<string> => {
    const reply = await post('ask')
    if (waits) await write()
    else drop(write())
    return reply
  }
  const trace = await recordLateRun(() => agent(false))
  const run = await replay(trace, () => agent(true))
  expect(run.divergences).toMatchObject([{ cause: 'order', step: 2, position: 'at' }])
  expect(renderReport(run, { color: false, width: 120 })).toContain(
    'The agent waited for this call before it ended, but the recorded run did not.',
  )
})

it('is red where a write that a timer made behind the end is made before it', async () => {
  const agent = async (waits: boolean): Promise<string> => {
    const reply = await post('ask')
    if (waits) await post('log')
    else setTimeout(() => drop(post('log')), 50)
    return reply
  }
  const trace = await recordLateRun(() => agent(false))
  expect((await replay(trace, () => agent(true))).divergences).toMatchObject([{ cause: 'order', step: 2 }])
})

it('names the write that is no longer awaited where the agent returns how long it took, too', async () => {
  const agent = async (waits: boolean): Promise<object> => {
    const startedAt = Date.now()
    const reply = await post('ask')
    if (waits) await post('log')
    else drop(post('log'))
    return { reply, took: Date.now() - startedAt }
  }
  const { trace } = await recordRun(() => agent(true))
  await expectClean(trace, () => agent(true))
  const { divergences } = await replay(trace, () => agent(false))
  expect(divergences).toMatchObject([
    { cause: 'order', step: 2, position: 'at' },
    { cause: 'outcome', differences: [{ path: 'output.took' }], consequence: true },
  ])
})

it('says how the agent ended where a number that it returns is no time, too', async () => {
  const agent = async (waits: boolean): Promise<object> => {
    const startedAt = Date.now()
    const reply = await post('ask')
    if (waits) await post('log')
    else drop(post('log'))
    return { reply, days: waits ? 9_000_000 : 8_000_000, waited: Date.now() > startedAt }
  }
  const { trace } = await recordRun(() => agent(true))
  const { divergences } = await replay(trace, () => agent(false))
  expect(divergences).toMatchObject([{ cause: 'outcome', differences: [{ path: 'output.days' }] }])
})

it('says how the agent ended where it ends otherwise, too', async () => {
  const agent = async (waits: boolean): Promise<string> => {
    const saved = save('log')
    drop(saved)
    return waits ? await saved : 'not waited for'
  }
  const { trace } = await recordRun(() => agent(true))
  expect((await replay(trace, () => agent(false))).divergences).toMatchObject([{ cause: 'outcome' }])
})

it.each<[string, (pause: number) => Promise<unknown>]>([
  ['a call that nobody waited for, and a pause behind it', async (pause) => (drop(save('log')), await sleep(pause), 'done')],
  ['a call that nobody waited for beside one that was', async () => (drop(save('log')), await post('ask'))],
  ['a timer left behind, and a pause', async (pause) => (setTimeout(() => drop(post('log')), 80), await sleep(pause), 'done')],
  ['a call that nobody waited for, and a file', async () => (drop(post('log')), (await readFile(import.meta.filename)).length)],
  ['a call that nobody waited for, and turns of the event loop', async () => (drop(post('log')), await turns(50), 'done')],
  ['a call that nobody waited for, and a hash', async () => (drop(post('log')), String(await promisify(scrypt)('a', 'b', 64)))],
  ['a call in memory that nobody waited for', async () => (drop(note('log')), 'done')],
  ['a call in memory that was', async () => (await note('log'), 'done')],
])('stays green: %s', async (_what, agent) => {
  // Longer than anything else of the run takes, however busy the machine is.
  const trace = await recordLateRun(() => agent(400))
  for (const pause of [400, 200, 900]) await expectClean(trace, () => agent(pause))
})

it('takes an answer that is not read for an answer', async () => {
  const agent = async (): Promise<number> => (await fetch(`${world.url}/log`, { method: 'POST' })).status
  const { trace } = await recordRun(agent)
  await expectClean(trace, agent)
})
