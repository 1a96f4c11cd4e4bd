import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { holdsSubset } from '../../src/matchers/subset.ts'
import { wholeRunMatchers } from '../../src/matchers/whole-run-matchers.ts'
import { findRepeatedSideEffects } from '../../src/replay/goldens/promotion/expect-departure.ts'
import { replay } from '../../src/replay/replay.ts'
import { sideEffectsOf } from '../../src/trace/side-effects.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { tool } from '../../src/run/tool.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import { readRecording } from '../support/read-recording.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

interface Refund {
  readonly order: string
  readonly amount: number | bigint
}

const refund = tool('refund', { effect: 'write' }, async ({ amount }: Refund) => ({ refunded: String(amount) }))
const refundByKey = tool('refund', { effect: 'write', idempotencyKey: ({ order }) => order }, async ({ amount }: Refund) => ({
  refunded: String(amount),
}))
const look = tool('look', { effect: 'read' }, async (order: string) => order)
const unsaid = tool('unsaid', {}, async (order: string) => order)

const notes = (trace: Parameters<typeof rowsOf>[0]): string[] => rowsOf(trace, 'note').map(({ what, where }) => `${what} ${where}`)

it('flags a side effect that is made again with the same arguments', async () => {
  const { trace, stats } = await recordRun(async () => {
    await refund({ order: 'ord_1', amount: 5 })
    await look('ord_1')
    await refund({ order: 'ord_1', amount: 5 })
  })
  expect(notes(trace)).toEqual(['repeated-side-effect refund: step 3 repeats step 1'])
  expect(stats).toMatchObject({ recorded: 1, watching: 0, active: 0, failed: 0, flagged: 1, sampledOut: 0, cut: 0, waitingBytes: 0 })
})

it('flags a side effect that is made again whatever the order of the fields', async () => {
  const { trace } = await recordRun(async () => {
    await refund({ order: 'ord_1', amount: 5 })
    await refund({ amount: 5, order: 'ord_1' })
  })
  expect(notes(trace)).toEqual(['repeated-side-effect refund: step 2 repeats step 1'])
})

it('goes by the idempotency key where there is one', async () => {
  const { trace } = await recordRun(async () => {
    await refundByKey({ order: 'ord_1', amount: 5 })
    await refundByKey({ order: 'ord_1', amount: 6 })
    await refundByKey({ order: 'ord_2', amount: 5 })
  })
  expect(notes(trace)).toEqual(['repeated-side-effect refund: step 2 repeats step 1'])
  expect(trace.steps.map(({ effect, idempotencyKey }) => [effect, idempotencyKey])).toEqual([
    ['write', 'ord_1'],
    ['write', 'ord_1'],
    ['write', 'ord_2'],
  ])
})

it('flags no other arguments, no other tool, no read and nothing unsaid', async () => {
  const { trace, stats } = await recordRun(async () => {
    await refund({ order: 'ord_1', amount: 5 })
    await refund({ order: 'ord_1', amount: 6 })
    await Promise.all([look('ord_1'), look('ord_1'), unsaid('ord_1'), unsaid('ord_1')])
  })
  expect([notes(trace), stats.flagged]).toEqual([[], 0])
})

it('compares arguments that JSON has no word for', async () => {
  const { trace, stats } = await recordRun(async () => {
    await refund({ order: 'ord_1', amount: 5n })
    await refund({ order: 'ord_1', amount: 5n })
    await refund({ order: 'ord_1', amount: 6n })
  })
  expect([notes(trace), stats.failed]).toEqual([['repeated-side-effect refund: step 2 repeats step 1'], 0])
})

const world = await listen(async (request, response) => {
  response.writeHead(request.url === '/refused' ? 429 : request.url === '/broken' ? 500 : 200).end('{}')
})
afterAll(() => world.close())

const post = async (path: string, body: string, headers: Record<string, string> = {}): Promise<void> => {
  await (await fetch(`${world.url}${path}`, { method: 'POST', body, headers })).text()
}
const host = new URL(world.url).host
const buy = tool('buy', { effect: 'write' }, async (order: string) => post('/refunds', order))
const search = tool('search', { effect: 'read' }, async (text: string) => post('/search', text))
const unsaidPost = tool('unsaid_post', {}, async (order: string) => post('/refunds', order))

const get = async (path: string): Promise<string> => (await fetch(`${world.url}${path}`)).text()
const failing = (name: string, body: (order: string) => Promise<unknown>): ((order: string) => Promise<never>) =>
  tool(name, { effect: 'write' }, async (order: string): Promise<never> => {
    await body(order)
    throw new Error(`No refund of ${order}.`)
  })
const payAfterLook = failing('pay_after_look', (order) => get(`/orders/${order}`))
const payRefused = failing('pay_refused', async (order) => [await get('/orders'), await post('/refused', order)])
const payAndThrow = failing('pay_and_throw', async (order) => [await get('/orders'), await post('/refunds', order)])
const payUnseen = failing('pay_unseen', async () => undefined)
const payByUnsaid = failing('pay_by_unsaid', async (order) => [await look(order), await unsaid(order)])
const tried = (pay: (order: string) => Promise<never>, order: string): Promise<void> => pay(order).catch(() => undefined)

it('takes a request that may change something for a side effect, and flags the one that is made again', async () => {
  const { trace, stats } = await recordRun(async () => {
    await post('/refunds', 'ord_1')
    await post('/refunds', 'ord_2')
    await post('/refunds', 'ord_1')
    await (await fetch(`${world.url}/refunds`)).text()
    await (await fetch(`${world.url}/refunds`)).text()
  })
  expect(notes(trace)).toEqual([`repeated-side-effect POST ${host}/refunds (inferred): step 3 repeats step 1`])
  expect(stats.flagged).toBe(1)
  expect(findRepeatedSideEffects(trace)).toEqual([{ name: `POST ${host}/refunds (inferred)`, step: 3, first: 1 }])
  expect(sideEffectsOf(trace.steps, trace.header).map(({ step, inferred }) => [step, inferred])).toEqual([
    [1, true],
    [2, true],
    [3, true],
  ])
})

it.each<[what: string, agent: () => Promise<unknown>, repeated: string[]]>([
  [
    'by the idempotency key of a request',
    async () => {
      await post('/refunds', 'a', { 'idempotency-key': 'ord_1' })
      await post('/refunds', 'b', { 'idempotency-key': 'ord_1' })
    },
    [`POST ${host}/refunds (inferred): step 2 repeats step 1`],
  ],
  ['not what was refused', async () => [await post('/refused', 'ord_1'), await post('/refused', 'ord_1')], []],
  [
    'what failed, since it may have been done',
    async () => [await post('/broken', 'ord_1'), await post('/broken', 'ord_1')],
    [`POST ${host}/broken (inferred): step 2 repeats step 1`],
  ],
  ['a tool once, and not the request that it makes', async () => [await buy('ord_1'), await buy('ord_1')], ['buy: step 3 repeats step 1']],
  ['no request of a tool that reads', async () => [await search('ord_1'), await search('ord_1')], []],
  [
    'a request of a tool that says nothing',
    async () => [await unsaidPost('ord_1'), await unsaidPost('ord_1')],
    [`POST ${host}/refunds (inferred): step 4 repeats step 2`],
  ],
  ['no tool that threw before it wrote', async () => [await tried(payAfterLook, 'ord_1'), await tried(payAfterLook, 'ord_1')], []],
  [
    'no tool that threw since its request was refused',
    async () => [await tried(payRefused, 'ord_1'), await tried(payRefused, 'ord_1')],
    [],
  ],
  [
    'a tool that threw after it wrote',
    async () => [await tried(payAndThrow, 'ord_1'), await tried(payAndThrow, 'ord_1')],
    ['pay_and_throw: step 4 repeats step 1'],
  ],
  [
    'a tool that threw, and of which nothing is known',
    async () => [await tried(payUnseen, 'ord_1'), await tried(payUnseen, 'ord_1')],
    ['pay_unseen: step 2 repeats step 1'],
  ],
  [
    'a tool that threw after a call whose effect nobody declares',
    async () => [await tried(payByUnsaid, 'ord_1'), await tried(payByUnsaid, 'ord_1')],
    ['pay_by_unsaid: step 4 repeats step 1'],
  ],
])('flags %s', async (_what, agent, repeated) => {
  const { trace } = await recordRun(agent)
  expect(notes(trace)).toEqual(repeated.map((where) => `repeated-side-effect ${where}`))
  expect(findRepeatedSideEffects(trace).map(({ name, step, first }) => `${name}: step ${step} repeats step ${first}`)).toEqual(repeated)
})

it('takes no ambient call for a side effect', async () => {
  const { trace } = await recordRun(async () => [await post('/token', 'a'), await post('/token', 'a')], { recorder: { ambient: [host] } })
  expect([notes(trace), findRepeatedSideEffects(trace), sideEffectsOf(trace.steps, trace.header)]).toEqual([[], [], []])
})

it('tells of inferred side effects in a replay, those of a tool that does not run among them', async () => {
  const agent = async (): Promise<void> => {
    await post('/refunds', 'ord_1')
    await unsaidPost('ord_1')
  }
  const { trace } = await recordRun(agent)
  const run = await replay(trace, agent)
  expect(run.divergences).toEqual([])
  expect(run.sideEffects.map(({ step, name, inferred }) => [step, name, inferred])).toEqual([
    [1, host, true],
    [3, host, true],
  ])
  const matchers = wholeRunMatchers
  const context = { isNot: false, color: false, width: 100, matches: holdsSubset, difference: () => [] }
  const repeated = matchers.toHaveNoRepeatedSideEffects(context, run)
  expect([repeated.pass, repeated.message()]).toEqual([
    false,
    `Expected "${trace.header.id}" to make each side effect once.\n    step 3 repeats step 1: POST ${world.url}/refunds "ord_1", an inferred side effect`,
  ])
  const none = matchers.toHaveSideEffects(context, run, [{ name: host, args: { method: 'POST', text: 'ord_1' } }])
  expect(none.pass).toBe(false)
  expect(none.message().match(/← .*/g)).toEqual(['← inferred from its method', '← inferred from its method, not expected'])
})

it('knows in a replay which tools threw before they wrote, though they do not run', async () => {
  const agent = async (): Promise<void> => {
    await tried(payAfterLook, 'ord_1')
    await tried(payAndThrow, 'ord_1')
    await buy('ord_1')
  }
  const { trace } = await recordRun(agent)
  const run = await replay(trace, agent)
  expect(run.divergences).toEqual([])
  expect(run.sideEffects.map(({ name }) => name)).toEqual(['pay_and_throw', 'buy'])
})

it('counts each time anew', async () => {
  const { trace } = await recordRun(async () => {
    for (let time = 0; time < 3; time += 1) await refund({ order: 'ord_1', amount: 5 })
  })
  expect(notes(trace)).toEqual(['repeated-side-effect refund: step 2 repeats step 1', 'repeated-side-effect refund: step 3 repeats step 1'])
})

it('has the call of a write in the file before the outcome, with all that came before', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs') })
  const read = async (): Promise<string[]> => {
    const { text, file } = await readRecording(directory.resolve('runs'))
    return decodeTrace(text, file, digest).rows.map((row) => ('step' in row ? `${row.kind} ${row.step}` : row.kind))
  }
  const seen = tool('seen', { effect: 'write' }, () => read())
  const during = await recorder.run({ agent: 'agent', input: 1 }, async () => {
    await look('ord_1')
    return seen()
  })
  await recorder.close()
  expect(during).toEqual(['run', 'call 1', 'return 1', 'call 2'])
  expect(await read()).toEqual(['run', 'call 1', 'return 1', 'call 2', 'return 2', 'end', 'closed'])
})

it('has what happened in the file within a moment, the process may die any time', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs') })
  const rows = await recorder.run({ agent: 'agent', input: 1 }, async () => {
    await look('ord_1')
    await new Promise((resolve) => setTimeout(resolve, 60))
    const { text, file } = await readRecording(directory.resolve('runs'))
    return decodeTrace(text, file, digest).steps.length
  })
  await recorder.close()
  expect(rows).toBe(1)
})
