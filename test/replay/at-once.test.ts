import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalServer, listen } from '../../examples/world/listen.ts'
import { explain } from '../../src/divergence/report/cause-words.ts'
import { compareRuns } from '../../src/replay/compare/compare-runs.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { wrapClient } from '../../src/run/wrap-client/wrap-client.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const note = external('note', (value: string) => value)
const audit = tool('audit', { effect: 'write' }, (value: string) => value)
const db = wrapClient('db', { exec: (statement: string) => ({ statement }) })
const look = external('look', async (value: string) => value)

let server: LocalServer
const post = async (value: string): Promise<string> => await (await fetch(server.url, { method: 'POST', body: value })).text()

beforeAll(async () => {
  server = await listen(async (request, response) => {
    response.end(await text(request))
  })
})

afterAll(async () => await server.close())

const later = (call: () => unknown): void => void setImmediate(() => void call())
const soon = (call: () => unknown): void => queueMicrotask(() => void call())

type Agent = () => Promise<unknown>

/** What a run did, with calls that end at once, and what it does now: each time something that was made after one of them comes before it. */
const swapped: Readonly<Record<string, readonly [before: Agent, after: Agent]>> = {
  'two statements of a client': [
    async () => [db.exec('BEGIN'), db.exec('INSERT'), db.exec('COMMIT')],
    async () => [db.exec('BEGIN'), db.exec('COMMIT'), db.exec('INSERT')],
  ],
  'two externals after an answer': [
    async () => [await post('first'), note('a'), note('b'), await look('last')],
    async () => [await post('first'), note('b'), note('a'), await look('last')],
  ],
  'an external behind a microtask': [
    async () => [await post('first'), note('a'), note('b'), await look('last')],
    async () => [await post('first'), soon(() => note('a')), note('b'), await look('last')],
  ],
  'an external behind a turn of the event loop': [
    async () => [await post('first'), note('a'), note('b'), await post('last')],
    async () => [await post('first'), later(() => note('a')), note('b'), await post('last')],
  ],
  'a commit and a request': [
    async () => [db.exec('BEGIN'), db.exec('COMMIT'), await post('charge')],
    async () => {
      db.exec('BEGIN')
      const charging = post('charge')
      later(() => db.exec('COMMIT'))
      return await charging
    },
  ],
  'a write and a request in one turn': [
    async () => [audit('charge'), await post('charge')],
    async () => {
      const charging = post('charge')
      return [audit('charge'), await charging]
    },
  ],
  'a write and a request': [
    async () => [audit('charge'), await post('charge')],
    async () => [later(() => audit('charge')), await post('charge')],
  ],
  'an external and a tool': [
    async () => [note('look'), await look('it')],
    async () => {
      const looking = look('it')
      return [note('look'), await looking]
    },
  ],
}

it.each(Object.entries(swapped))('is red where what was made after a call that ended at once is made before it: %s', async (_of, ways) => {
  const [before, after] = ways
  const { trace } = await recordRun(before)
  await expectClean(trace, before)
  const run = await replay(trace, after)
  expect(run.divergences[0]).toMatchObject({ cause: 'order', position: 'at' })
  const { step = 0, before: overtaken = 0 } = run.divergences[0] ?? {}
  expect(overtaken).toBe(step - 1)
  expect((await compareRuns(trace, (await recordRun(after)).trace)).divergences[0]).toMatchObject({ cause: 'order', step })
})

it('is red where a call in each turn of a loop comes before the write that announced it', async () => {
  const agent = (announce: (value: string) => unknown) => async () => {
    for (const value of ['one', 'two', 'three']) {
      announce(value)
      await post(value)
    }
  }
  const { trace } = await recordRun(agent(audit))
  await expectClean(trace, agent(audit))
  expect(
    (
      await replay(
        trace,
        agent((value) => later(() => audit(value))),
      )
    ).divergences,
  ).toMatchObject([
    { cause: 'order', step: 2, before: 1 },
    { cause: 'order', step: 4, before: 3, consequence: true },
    { cause: 'order', step: 6, before: 5, consequence: true },
  ])
})

it.each([
  ['in one turn', (mark: () => void) => mark()],
  ['behind a turn of the event loop', (mark: () => void) => later(mark)],
])('is red where a checkpoint moved behind a request that it announced, %s', async (_of, when) => {
  const mark = (): void => checkpoint('charging', { amount: 5 })
  const before: Agent = async () => [mark(), await post('charge')]
  const after: Agent = async () => {
    const charging = post('charge')
    when(mark)
    return [undefined, await charging]
  }
  const { trace } = await recordRun(before)
  await expectClean(trace, before)
  const run = await replay(trace, after)
  expect(run.divergences).toMatchObject([{ cause: 'checkpoint', name: 'charging', step: 0, position: 'after' }])
  expect(run.divergences.map((one) => explain(one))).toEqual([
    'The recorded run reached this checkpoint before step 1 was made; the agent reached it after step 1 was made.',
  ])
  expect((await compareRuns(trace, run)).divergences).toEqual(run.divergences)
})

it('is green where a call that ends at once comes after a request that is under way, as it was, and where it moved before that', async () => {
  const under: Agent = async () => {
    const charging = post('charge')
    note('charging')
    checkpoint('charging', 1)
    return await charging
  }
  const { trace } = await recordRun(under)
  await expectClean(trace, under)
  const first: Agent = async () => {
    note('charging')
    checkpoint('charging', 1)
    return await post('charge')
  }
  expect((await replay(trace, first)).divergences).toEqual([])
})

/** Unchanged agents in whose branches calls that end at once stand as answers and work of the run's own happen to come. */
const branches: Readonly<Record<string, (value: string) => Promise<unknown>>> = {
  requests: async (value) => [await post(value), note(value), await post(`${value} again`), checkpoint(value, value), audit(value)],
  'requests that are answered together': async (value) => [await look('same'), note(value), await post(value), db.exec(value)],
  'turns of the event loop': async (value) => {
    for (let turn = 0; turn < value.length; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    note(value)
    return [await post(value), checkpoint(value, value)]
  },
  'chains of awaits': async (value) => {
    for (let link = 0; link < value.length; link += 1) await Promise.resolve()
    note(value)
    return [await post(value), note(`${value} again`)]
  },
}

it.each(Object.entries(branches))('is green for unchanged parallel branches of %s', async (_of, branch) => {
  const agent = async (): Promise<unknown> => await Promise.all(['one', 'three', 'nineteen'].map(branch))
  for (let time = 0; time < 5; time += 1) await expectClean((await recordRun(agent)).trace, agent)
})

it('holds no branch that waits for work of the run to the order of the others', async () => {
  const branch = async (value: string): Promise<unknown> => {
    await readFile(import.meta.filename)
    note(value)
    return [await post(value), audit(value)]
  }
  const agent = async (): Promise<unknown> => await Promise.all(['one', 'three', 'nineteen'].map(branch))
  const { trace } = await recordRun(agent)
  for (let time = 0; time < 20; time += 1) expect((await replay(trace, agent)).divergences).toEqual([])
})
