import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import type { CheckpointPolicy } from '../../src/record/checkpoints/checkpoint-policy.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { createEncoder } from '../../src/trace/codec/encoder.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'

const server = await listen(async (request, response) => void response.end('x'.repeat(Number(request.url?.slice(1)))))
afterAll(() => server.close())

const look = tool('look', { effect: 'read' }, async (order: number) => order)
const refund = tool('refund', { effect: 'write' }, async (order: number) => order)
const plan = external('plan', async (goal: string) => goal)

/** Its state is what it has looked at; where models answer, so many bytes a call. */
async function agent(bytes = 0): Promise<number[]> {
  const seen: number[] = []
  checkpoint.state(() => ({ seen, clock: Date.now() > 0, chance: Math.random() < 1 }))
  await plan('refund')
  for (let order = 1; order <= 4; order += 1) {
    if (bytes > 0) await (await fetch(`${server.url}/${bytes}`)).text()
    seen.push(await look(order))
  }
  checkpoint('looked', { seen })
  await refund(4)
  return seen
}

const record = async (checkpoints: CheckpointPolicy, run: () => unknown = agent): Promise<Trace> =>
  (await recordRun(run, { recorder: { checkpoints } })).trace

/** Names and states of those by policy, with the step that they come before. */
function taken(trace: Trace): unknown[] {
  return trace.policyCheckpoints.map(({ name, state }) => [name, (state as { seen?: unknown }).seen])
}

it.each<[when: string, policy: CheckpointPolicy, expected: unknown[]]>([
  ['never', {}, []],
  ['before every write', { beforeWrites: true }, [['before refund', [1, 2, 3, 4]]]],
  [
    'before every second call',
    { everyToolCalls: 2 },
    [
      ['after 2 calls', [1]],
      ['after 2 calls', [1, 2, 3]],
    ],
  ],
  ['after a transition, once the agent goes on', { after: ['plan'] }, [['after plan', []]]],
  ['after the last call of a run', { after: ['refund'] }, [['after refund', [1, 2, 3, 4]]]],
  [
    'so often at most',
    { everyToolCalls: 1, most: 2 },
    [
      ['after 1 calls', []],
      ['after 1 calls', [1]],
    ],
  ],
])('takes checkpoints %s', async (_when, policy, expected) => {
  expect(taken(await record(policy))).toEqual(expected)
})

it('takes one after a transition before what the agent asks a model next', async () => {
  const trace = await record({ after: ['plan'] }, () => agent(1))
  const next = trace.rows.findIndex((row) => row.kind === 'call' && row.step === 2)
  expect(trace.rows[next]).toMatchObject({ boundary: 'http' })
  expect(trace.rows.slice(0, next)).toContainEqual(expect.objectContaining({ kind: 'checkpoint', name: 'after plan' }))
})

it('takes them less often where models answer much', async () => {
  const often = await record({ everyToolCalls: 1 }, () => agent(1))
  const seldom = await record({ everyToolCalls: 1 }, () => agent(40_000))
  expect(often.policyCheckpoints).toHaveLength(5)
  // 40 kB a call make it every third; the last two calls had one answer between them, 20 kB a call, which makes it every second.
  expect(seldom.policyCheckpoints.map(({ name }) => name)).toEqual(['after 3 calls', 'after 2 calls'])
})

it('takes none of an agent that says nothing of its state', async () => {
  expect(taken(await record({ everyToolCalls: 1, beforeWrites: true }, async () => [await look(1), await refund(1)]))).toEqual([])
})

it.each<[what: string, read: () => unknown, where: string]>([
  [
    'that cannot be read',
    () => {
      throw new Error('gone')
    },
    'checkpoint-failed after 1 calls: Error: gone, so the policy takes no more checkpoints',
  ],
  [
    'that is too long',
    () => 'x'.repeat(100),
    'checkpoint-too-long after 1 calls: its state is 102 characters long, so the policy takes no more checkpoints',
  ],
])('notes a state %s, once, and lets the run be', async (_what, read, where) => {
  const { trace, output } = await recordRun(
    async () => {
      checkpoint.state(read)
      return [await look(1), await look(2), await look(3)]
    },
    { recorder: { checkpoints: { everyToolCalls: 1, longestState: 50 } } },
  )
  expect(output).toEqual([1, 2, 3])
  expect(rowsOf(trace, 'note').map((row) => `${row.what} ${row.where}`)).toEqual([where])
})

it('compares none of them on replay: neither the policy nor the state makes another run', async () => {
  const trace = await record({ everyToolCalls: 1, beforeWrites: true })
  const plain = await record({})
  const run = await replay(trace, agent)
  expect(run.divergences).toEqual([])
  expect([run.hash, trace.hash]).toEqual([trace.hash, plain.hash])
  expect(rowsOf(trace, 'reads')).toEqual([])

  const other = await replay(trace, async () => {
    const seen: number[] = []
    await plan('refund')
    for (let order = 1; order <= 4; order += 1) seen.push(await look(order))
    checkpoint('looked', { seen })
    await refund(4)
    return seen
  })
  expect(other.divergences).toEqual([])
})

it('compares the agent’s own all the same', async () => {
  const trace = await record({ everyToolCalls: 1, beforeWrites: true })
  const run = await replay(trace, async () => {
    checkpoint.state(() => 'another')
    await plan('refund')
    for (let order = 1; order <= 4; order += 1) await look(order)
    checkpoint('looked', { seen: [] })
    await refund(4)
    return [1, 2, 3, 4]
  })
  expect(run.divergences.map(({ cause, name }) => [cause, name])).toEqual([['checkpoint', 'looked']])
})

it('tells the recorded state at a step', async () => {
  const trace = await record({ everyToolCalls: 1 })
  const run = await replay(trace, agent)
  expect([run.stateAt(4), run.stateAt(1)]).toEqual([expect.objectContaining({ seen: expect.any(Array) }), undefined])
})

it('keeps what has not changed since the last one as a reference, in objects too', () => {
  const encoder = createEncoder()
  const order = { id: 'ord_1', history: 'h'.repeat(2000), address: { street: 's'.repeat(1000), city: 'Berlin' } }
  const messages: { role: string; content: string }[] = []
  const lengths = Array.from({ length: 20 }, (_, index) => {
    messages.push({ role: 'user', content: `message ${index} ${'m'.repeat(400)}` })
    const state = { order, messages, counter: index }
    const name = index % 2 === 0 ? 'before refund' : `after ${index} calls`
    return encoder.encode({ kind: 'checkpoint', owner: 0, name, by: 'policy', state, at: index }).join('\n').length
  })
  // The first has all of it; each after that its new message and references.
  expect(lengths[0]).toBeGreaterThan(3400)
  for (const length of lengths.slice(2)) expect(length).toBeLessThan(900)
})

it.each<[policy: unknown, problem: string]>([
  [{ everyToolCalls: 0 }, 'has to have a whole number above 0 as "everyToolCalls".'],
  [{ after: 'plan' }, 'has to have a list of names as "after".'],
  [{ beforeWrites: 'yes' }, 'has to have true or false as "beforeWrites".'],
  [{ every: 5 }, 'takes everyToolCalls, after, beforeWrites, most, longestState, not "every".'],
])('refuses %j', (policy, problem) => {
  expect(() => createRecorder({ store: 'runs', checkpoints: policy as CheckpointPolicy })).toThrow(
    `createRecorder: the option "checkpoints" ${problem}`,
  )
})
