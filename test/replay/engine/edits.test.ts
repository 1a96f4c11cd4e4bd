import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, type LocalServer } from '../../../examples/world/listen.ts'
import { replay } from '../../../src/replay/replay.ts'
import type { ReplayedRun } from '../../../src/replay/contract/replayed-run.ts'
import { checkpoint } from '../../../src/run/checkpoint.ts'
import { tool } from '../../../src/run/tool.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { recordRun } from '../../support/record-run.ts'

const open = tool('open', { effect: 'read' }, async (ticket: string) => ({ ticket, order: 'ord_1' }))
const look = tool('look', { effect: 'read' }, async (order: string, part: string) => `${part} of ${order}`)
const refund = tool('refund', { effect: 'write' }, async (order: string, amount: number) => ({ order, amount }))
const close = tool('close', { effect: 'write' }, async (ticket: string) => ({ ticket }))
const extra = tool('extra', {}, async (what: string) => what)
const wait = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))

let server: LocalServer
let url = ''
let trace: Trace
const post = async (path: string, body: string): Promise<string> => (await fetch(`${url}${path}`, { method: 'POST', body })).text()

/** What an edited agent does otherwise. */
interface Edits {
  readonly before?: () => Promise<unknown>
  readonly opened?: () => Promise<unknown>
  readonly parts?: (order: string) => Promise<unknown>
  readonly message?: string
  readonly asks?: number
  readonly amount?: number
  readonly refunds?: number
  readonly swapped?: boolean
  readonly state?: unknown
  readonly closes?: boolean
  readonly after?: () => Promise<unknown>
  readonly output?: string
}

/** Steps: 1 open, 2 look items, 3 look address, 4 ask, 5 refund, 6 close. */
async function agent(edits: Edits = {}): Promise<unknown> {
  await edits.before?.()
  const { order } = await open('tic_1')
  await edits.opened?.()
  if (edits.parts === undefined) await Promise.all([look(order, 'items'), look(order, 'address')])
  else await edits.parts(order)
  checkpoint('looked', edits.state ?? { order })
  for (let time = 0; time < (edits.asks ?? 1); time += 1) await post('/ask', edits.message ?? 'May I?')
  if (edits.swapped === true) await close('tic_1')
  for (let time = 0; time < (edits.refunds ?? 1); time += 1) await refund(order, edits.amount ?? 4200)
  if (edits.closes !== false && edits.swapped !== true) await close('tic_1')
  await edits.after?.()
  return edits.output ?? 'done'
}

beforeAll(async () => {
  server = await listen(async (_request, response) => void response.end('yes'))
  url = server.url
  trace = (await recordRun(() => agent())).trace
  await server.close()
})
afterAll(() => server.close())

const verdict = ({ divergences, outcome }: ReplayedRun): unknown => [
  divergences.map(({ cause, step, position, name }) => [cause, step, position, name]),
  outcome.status,
]

const staysGreen: Readonly<Record<string, Edits>> = {
  'the code is as it was': {},
  'a sleep was added before the first call': { before: () => wait(5000) },
  'a sleep was added between calls': { opened: () => wait(60_000) },
  'a sleep was added after the last call': { after: () => wait(1000) },
  'an immediate and a tick were added': { opened: () => new Promise((resolve) => setImmediate(() => process.nextTick(resolve))) },
  'reads were added': { opened: async () => [Date.now(), Math.random(), crypto.randomUUID(), performance.now()] },
  'calls in flight together start in another order': { parts: (order) => Promise.all([look(order, 'address'), look(order, 'items')]) },
  'microtasks were added': { opened: () => Promise.resolve().then(() => Promise.resolve()) },
}

for (const [name, edits] of Object.entries(staysGreen)) {
  it(`stays green where ${name}`, async () => {
    const run = await replay(trace, () => agent(edits))
    expect(verdict(run)).toEqual([[], 'returned'])
  })
}

const goesRed: Readonly<Record<string, { readonly edits: Edits; readonly first: readonly unknown[]; readonly status: string }>> = {
  'an argument changed': { edits: { amount: 4300 }, first: ['input', 5, 'at', 'refund'], status: 'stopped' },
  'a request changed': { edits: { message: 'Might I?' }, first: ['input', 4, 'at', 'host'], status: 'stopped' },
  'a call was added before the first': {
    edits: { before: () => extra('x') },
    first: ['unexpected-call', 0, 'after', 'extra'],
    status: 'stopped',
  },
  'a call was added between': { edits: { opened: () => extra('x') }, first: ['unexpected-call', 1, 'after', 'extra'], status: 'stopped' },
  'a call was added after the last': {
    edits: { after: () => extra('x') },
    first: ['unexpected-call', 6, 'after', 'extra'],
    status: 'stopped',
  },
  'a request was added': {
    edits: { opened: () => post('/other', 'x') },
    first: ['unexpected-call', 1, 'after', 'host'],
    status: 'stopped',
  },
  'a write was repeated': { edits: { refunds: 2 }, first: ['unexpected-call', 5, 'after', 'refund'], status: 'stopped' },
  'a request was repeated': { edits: { asks: 2 }, first: ['unexpected-call', 4, 'after', 'host'], status: 'stopped' },
  'a write was removed': { edits: { refunds: 0 }, first: ['missing-call', 5, 'at', 'refund'], status: 'returned' },
  'the last call was removed': { edits: { closes: false }, first: ['missing-call', 6, 'at', 'close'], status: 'returned' },
  'a request was removed': { edits: { asks: 0 }, first: ['missing-call', 4, 'at', 'host'], status: 'returned' },
  'one of parallel calls was removed': {
    edits: { parts: (order) => look(order, 'items') },
    first: ['missing-call', 3, 'at', 'look'],
    status: 'returned',
  },
  'two writes were swapped': { edits: { swapped: true }, first: ['order', 5, 'at', 'refund'], status: 'returned' },
  'parallel calls were made one by one': {
    edits: { parts: async (order) => [await look(order, 'items'), await look(order, 'address')] },
    first: ['order', 3, 'at', 'look'],
    status: 'returned',
  },
  'a checkpoint has another state': {
    edits: { state: { order: 'ord_2' } },
    first: ['checkpoint', 3, 'after', 'looked'],
    status: 'returned',
  },
  'the output differs': { edits: { output: 'finished' }, first: ['outcome', 6, 'after', undefined], status: 'returned' },
}

for (const [name, { edits, first, status }] of Object.entries(goesRed)) {
  it(`says so where ${name}`, async () => {
    const run = await replay(trace, () => agent(edits))
    const [divergence] = run.divergences
    const host = new URL(url).host
    expect([divergence?.cause, divergence?.step, divergence?.position, divergence?.name]).toEqual(
      first.map((part) => (part === 'host' ? host : part)),
    )
    expect(run.outcome.status).toBe(status)
  })
}

it('gives another hash to a run that did something else', async () => {
  const changes: Edits[] = [{ amount: 4300 }, { refunds: 2 }, { refunds: 0 }, { swapped: true }, { state: 1 }, { output: 'finished' }]
  for (const edits of changes) expect((await replay(trace, () => agent(edits))).hash).not.toBe(trace.hash)
})

it('finds a call that a sequential agent makes in parallel', async () => {
  const sequential = await recordRun(async () => [await look('ord_1', 'items'), await look('ord_1', 'address'), await close('tic_1')])
  const run = await replay(sequential.trace, async () => {
    const parts = await Promise.all([look('ord_1', 'items'), look('ord_1', 'address')])
    return [...parts, await close('tic_1')]
  })
  expect(verdict(run)).toEqual([[['order', 2, 'at', 'look']], 'returned'])
})

it('says what differs, field by field, and where in the code the call was made', async () => {
  const run = await replay(trace, () => agent({ amount: 4300 }))
  expect(run.divergences[0]).toMatchObject({
    boundary: 'tool',
    parts: ['args'],
    differences: [{ path: 'args[1]', part: 'args', expected: 4200, received: 4300 }],
    expected: ['ord_1', 4200],
    received: ['ord_1', 4300],
    site: { file: 'test/replay/engine/edits.test.ts' },
    consequence: false,
  })
})

it('continues with the recorded answers on request, and marks the consequences', async () => {
  const run = await replay(trace, () => agent({ amount: 4300, message: 'Might I?', refunds: 1 }), { onDivergence: 'continue' })
  expect(run.outcome).toEqual({ status: 'returned', output: 'done' })
  expect(run.divergences.map(({ cause, step, consequence }) => [cause, step, consequence])).toEqual([
    ['input', 4, false],
    ['input', 5, true],
  ])
})

it('tells of nothing as missing that would have come after a stop', async () => {
  const run = await replay(trace, () => agent({ opened: () => extra('x') }))
  expect(run.divergences.map(({ cause }) => cause)).toEqual(['unexpected-call'])
})

it('gives steps by their recorded numbers, and those that the trace does not have behind them', async () => {
  const run = await replay(trace, () => agent({ opened: () => extra('x').catch(() => undefined) }), { answers: { extra: 'given' } })
  expect(run.steps.map(({ step, name }) => [step, name])).toEqual([
    [1, 'open'],
    [2, 'look'],
    [3, 'look'],
    [4, new URL(url).host],
    [5, 'refund'],
    [6, 'close'],
    [7, 'extra'],
  ])
  expect(run.sideEffects.map(({ name, inferred }) => (inferred === true ? 'inferred' : name))).toEqual(['inferred', 'refund', 'close'])
})
