import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { findRepeatedEffects } from '../../src/stores/repeated-effects.ts'
import type { RunQuery, RunSummary } from '../../src/stores/run-summary.ts'
import { isFound } from '../../src/stores/run-terms.ts'
import { sampleRun, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import { record } from '../support/recordings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const refund = tool(
  'refund',
  { effect: 'write', idempotencyKey: ({ order }) => order },
  async ({ amount }: { order: string; amount: number }) => amount,
)
const cancel = tool('cancel', { effect: 'write', idempotencyKey: ({ order }) => order }, async ({ order }: { order: string }) => order)
const sendEmail = tool('send_email', { effect: 'write' }, async ({ text }: { to: string; text: string }) => text.length)

/** The side effects that were found, as their name, key and runs. */
const told = ({ effects }: Awaited<ReturnType<typeof findRepeatedEffects>>): unknown[] =>
  effects.map(({ effect, key, runs }) => [effect, key, runs.map(({ id, step }) => [id, step])])

/** A store that can find runs and no more than that, from what the directory finds. */
function withoutIndex(directory: string): Parameters<typeof findRepeatedEffects>[0] {
  const { findRepeatedEffects: _, ...store } = createDirectoryStore(directory)
  return store
}

it('finds the side effect that two runs made, by its idempotency key', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  const first = await record(directory, { input: {}, agentVersion: '1' }, async () => refund({ order: 'ord_1', amount: 10 }))
  await record(directory, { input: {} }, async () => refund({ order: 'ord_2', amount: 10 }))
  await record(directory, { input: {} }, async () => cancel({ order: 'ord_1' }))
  const second = await record(directory, { agent: 'triage', input: {} }, async () => {
    await cancel({ order: 'ord_7' })
    return refund({ order: 'ord_1', amount: 20 })
  })
  const expected = [
    [
      'refund',
      'ord_1',
      [
        [first, 1],
        [second, 2],
      ],
    ],
  ]
  expect(told(await findRepeatedEffects(createDirectoryStore(directory), {}))).toEqual(expected)
  expect(told(await findRepeatedEffects(withoutIndex(directory), {}))).toEqual(expected)
  expect(told(await findRepeatedEffects(createDirectoryStore(directory), { agent: 'support' }))).toEqual([])
  expect(told(await findRepeatedEffects(withoutIndex(directory), { agent: 'support' }))).toEqual([])
})

it('says who made it when', async () => {
  await using project = await createTemporaryDirectory()
  const store = createDirectoryStore(project.resolve('runs'))
  const ids = [
    await record(store.directory, { input: {}, agentVersion: '1.4.0' }, async () => refund({ order: 'ord_1', amount: 10 })),
    await record(store.directory, { agent: 'triage', input: {} }, async () => refund({ order: 'ord_1', amount: 10 })),
  ]
  const { effects } = await store.findRepeatedEffects({})
  const [early, late] = effects[0]?.runs ?? []
  expect([early?.id, early?.agent, early?.agentVersion, late?.id, late?.agent]).toEqual([ids[0], 'support', '1.4.0', ids[1], 'triage'])
  const { runs } = await store.find({})
  for (const { id, at } of [early, late].filter((each) => each !== undefined)) {
    const run = runs.find((each) => each.id === id)
    const since = Date.parse(at) - Date.parse(run?.startedAt ?? '')
    expect(since).toBeGreaterThanOrEqual(0)
    expect(since).toBeLessThanOrEqual(run?.durationMs ?? 0)
  }
})

it('compares what a side effect without a key was called with', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  const ids: string[] = []
  for (const text of ['Your order is late.', 'Your order left.', 'Your order is late.'])
    ids.push(await record(directory, { input: {} }, async () => sendEmail({ to: 'team-7', text })))
  expect(told(await findRepeatedEffects(createDirectoryStore(directory), {}))).toEqual([
    [
      'send_email',
      undefined,
      [
        [ids[0], 1],
        [ids[2], 1],
      ],
    ],
  ])
})

it('takes no two customers for one where redaction gave both the same stand-in', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  for (const to of ['ada@shop.test', 'bob@shop.test']) {
    await record(directory, { input: {} }, async () => {
      await sendEmail({ to, text: 'Hello' })
      await refund({ order: to, amount: 1 })
    })
  }
  const store = createDirectoryStore(directory)
  expect(told(await findRepeatedEffects(store, {}))).toEqual([])
  expect((await store.find({})).runs.map(({ effects }) => effects)).toEqual([undefined, undefined])
})

it('counts requests, but none that was refused', async () => {
  await using server = await listen(async (request, response) => {
    response.statusCode = request.url === '/refused' ? 409 : 200
    response.end('{}')
  })
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  const post = (path: string, key?: string): Promise<Response> =>
    fetch(`${server.url}${path}`, { method: 'POST', body: '{"a":1}', ...(key !== undefined && { headers: { 'idempotency-key': key } }) })
  const agent = async (): Promise<void> => {
    await post('/refunds', 'key-1')
    await post('/notes')
    await post('/refused', 'key-2')
    await fetch(`${server.url}/read`)
  }
  const ids = [await record(directory, { input: {} }, agent), await record(directory, { input: {} }, agent)]
  const host = server.url.replace('http://', '')
  const found = await findRepeatedEffects(createDirectoryStore(directory), {})
  const steps = (step: number): unknown[] => ids.map((id) => [id, step])
  expect(told(found).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    [`POST ${host}/notes (inferred)`, undefined, steps(2)],
    [`POST ${host}/refunds (inferred)`, 'key-1', steps(1)],
  ])
})

it('does not count what one run made twice, which is a repeated side effect of its own', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  const id = await record(directory, { input: {} }, async () => {
    await refund({ order: 'ord_1', amount: 10 })
    await refund({ order: 'ord_1', amount: 10 })
  })
  const store = createDirectoryStore(directory)
  expect((await store.findRepeatedEffects({})).effects).toEqual([])
  expect((await store.find({ repeatedSideEffects: true })).runs.map((run) => run.id)).toEqual([id])
})

it('finds runs by an idempotency key, in the index and by summaries', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  const long = 'order-'.repeat(100)
  const id = await record(directory, { input: {} }, async () => {
    await refund({ order: 'ord_1', amount: 10 })
    await refund({ order: long, amount: 10 })
  })
  await record(directory, { input: {} }, async () => refund({ order: 'ord_2', amount: 10 }))
  const store = createDirectoryStore(directory)
  const all = (await store.find({})).runs
  for (const [idempotencyKey, expected] of [
    ['ord_1', [id]],
    [long, [id]],
    ['ord_', []],
  ] as const) {
    expect((await store.find({ idempotencyKey })).runs.map((run) => run.id)).toEqual(expected)
    expect(all.filter((run) => isFound(run, { idempotencyKey })).map((run) => run.id)).toEqual(expected)
  }
})

it('keeps a hundred side effects of a run at most', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  await record(directory, { input: {} }, async () => {
    for (let number = 0; number < 150; number += 1) await refund({ order: `ord_${number}`, amount: 1 })
  })
  const [run] = (await createDirectoryStore(directory).find({})).runs
  expect(run?.effects?.map(({ key }) => key)).toEqual(Array.from({ length: 100 }, (_, number) => `ord_${number}`))
})

it('finds them by time, the one that was repeated last first, so many', async () => {
  await using project = await createTemporaryDirectory()
  const store = createDirectoryStore(project.resolve('runs'))
  for (const [second, name] of ['a', 'b', 'a', 'b', 'c', 'c', 'a'].entries()) writeRun(store, sampleRun(second + 1, { tool: name }))
  await store.flush()
  const times = (await store.find({})).runs.map(({ startedAt }) => startedAt).toReversed()
  const names = async (query: RunQuery): Promise<unknown[]> => {
    const [found, scanned] = [await store.findRepeatedEffects(query), await findRepeatedEffects(withoutIndex(store.directory), query)]
    expect(found).toEqual({ effects: scanned.effects, unreadable: [] })
    return found.effects.map(({ effect, runs }) => `${effect} ${runs.length}`)
  }
  expect(await names({})).toEqual(['a 3', 'c 2', 'b 2'])
  expect(await names({ limit: 1 })).toEqual(['a 3'])
  expect(await names({ since: times[3] ?? '' })).toEqual(['c 2'])
  expect(await names({ since: times[2] ?? '' })).toEqual(['a 2', 'c 2'])
})

it('tells ten thousand keys apart in a store without an index of them', async () => {
  const run = (number: number, key: string): RunSummary => ({
    id: String(100_000 - number),
    traceId: '',
    agent: 'support',
    status: 'returned',
    startedAt: '2026-01-01T00:00:00.000Z',
    steps: 1,
    modelCalls: 0,
    toolCalls: 1,
    models: [],
    tools: [],
    tags: {},
    flags: [],
    repeatedSideEffects: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    effects: [{ name: 'refund', key, step: 1, at: 0 }],
  })
  const runs = Array.from({ length: 10_000 }, (_, number) => run(number, `ord_${number === 9000 ? 17 : number}`))
  const { open, list, read } = createDirectoryStore('nowhere')
  const find = async ({ before = '999999', limit = Infinity }: RunQuery): Promise<{ runs: RunSummary[]; unreadable: [] }> => ({
    runs: runs.filter(({ id }) => id < before).slice(0, limit),
    unreadable: [],
  })
  expect(told(await findRepeatedEffects({ open, list, read, find }, {}))).toEqual([
    [
      'refund',
      'ord_17',
      [
        ['91000', 1],
        ['99983', 1],
      ],
    ],
  ])
})
