import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { afterAll, describe, expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { checkpoint, tool } from '../../src/index.ts'
import { compareRuns, fork, replay } from '../../src/replay.ts'
import { recordRun } from '../support/record-run.ts'

/** What really happened outside. */
const world = { looked: [] as string[], refunded: [] as string[] }

const look = tool('get_order', { effect: 'read' }, async (id: string) => {
  world.looked.push(id)
  await sleep(5)
  return { id, status: id === 'o2' ? 'packed' : 'shipped' }
})
const refund = tool(
  'refund_order',
  { effect: 'write', idempotencyKey: ({ key }: { key: string }) => key },
  async (args: { id: string; key: string }) => {
    world.refunded.push(args.id)
    await sleep(5)
    return { refunded: args.id }
  },
)

/** Looks at orders, and refunds those that were shipped. */
async function agent(ids: readonly string[]): Promise<unknown[]> {
  const done: unknown[] = []
  for (const id of ids) {
    const { status } = await look(id)
    checkpoint('looked', { id, status })
    if (status === 'shipped') done.push(await refund({ id, key: randomUUID() }))
    else done.push(status)
  }
  return done
}

const { trace } = await recordRun(agent, { input: ['o1', 'o2', 'o3'] })

function counted(): { looked: number; refunded: number } {
  return { looked: world.looked.length, refunded: world.refunded.length }
}

describe('a fork that never comes to its step', () => {
  const at = { tool: 'refund_order', nth: 2 } as const
  const edit = { answer: new Error('the bank is closed') }

  it('is stopped where the agent did not follow the recorded run, and does not return', async () => {
    const { outcome } = await fork(trace, async () => 'nothing done', { at, edit })
    expect(outcome).toMatchObject({
      status: 'stopped',
      divergence: {
        cause: 'missing-call',
        step: 1,
        reason: 'The agent ended before step 5 (refund_order), where the fork begins: step 1 (missing call).',
      },
    })
  })

  it('is stopped if the agent throws before it', async () => {
    const failing = async ([first]: readonly string[]): Promise<never> => {
      const { status } = await look(first ?? '')
      checkpoint('looked', { id: first, status })
      throw new RangeError('broken')
    }
    expect((await fork(trace, failing, { at, edit })).outcome).toMatchObject({
      status: 'stopped',
      divergence: { cause: 'missing-call', step: 2 },
    })
  })

  it('is stopped if the agent ends without the call whose answer is edited', async () => {
    const careful = async (ids: readonly string[]): Promise<string> => {
      const [first = '', ...others] = ids
      const lookAt = async (id: string): Promise<void> => {
        const { status } = await look(id)
        checkpoint('looked', { id, status })
      }
      await lookAt(first)
      await refund({ id: first, key: randomUUID() })
      for (const id of others) await lookAt(id)
      return 'done'
    }
    const { outcome } = await fork(trace, careful, { at, edit })
    const reason = 'The agent ended without a call of refund_order, whose answer is edited.'
    expect(outcome).toMatchObject({ status: 'stopped', divergence: { step: 5, reason } })
    // Without an edit, that is how the agent goes on.
    expect((await fork(trace, careful, { at })).outcome).toEqual({ status: 'returned', output: 'done' })
  })
})

describe('a fork at a step', () => {
  it('follows the trace, and continues with a different answer', async () => {
    const before = counted()
    const run = await fork(trace, agent, {
      at: { tool: 'get_order', nth: 2 },
      edit: { answer: { id: 'o2', status: 'shipped' } },
      answers: { refund_order: ({ id }: { id: string }) => ({ sandboxed: id }) },
      then: 'sandbox',
    })
    expect(run.outcome).toEqual({ status: 'returned', output: [{ refunded: 'o1' }, { sandboxed: 'o2' }, { refunded: 'o3' }] })
    expect(run.divergences).toEqual([])
    expect(run.steps.map(({ name, route }) => [name, route])).toEqual([
      ['get_order', undefined],
      ['refund_order', undefined],
      ['get_order', 'sandbox'],
      ['refund_order', 'sandbox'],
      ['get_order', 'recorded'],
      ['refund_order', 'recorded'],
    ])
    // Nothing was done outside.
    expect(counted()).toEqual(before)
  })

  it('is a run: its trace replays without a divergence, and says what it was forked from', async () => {
    const run = await fork(trace, agent, { at: 3, edit: { answer: { id: 'o2', status: 'lost' } } })
    const forked = run.toTrace()
    expect(forked.header.forkedFrom).toEqual({
      id: trace.header.id,
      step: 3,
      edit: { answer: { id: 'o2', status: 'lost' } },
      routes: { 3: 'sandbox', 4: 'recorded', 5: 'recorded' },
    })
    const again = await replay(forked, agent)
    expect(again.divergences).toEqual([])
    expect(again.outcome).toEqual({ status: 'returned', output: [{ refunded: 'o1' }, 'lost', { refunded: 'o3' }] })
    expect(again.hash).toBe(forked.hash)
    expect((await compareRuns(forked, again.toTrace())).divergences).toEqual([])
  })

  it('stops at a call that the trace has no answer for', async () => {
    const run = await fork(trace, agent, { at: 3, edit: { answer: { id: 'o2', status: 'shipped' } } })
    expect(run.outcome).toMatchObject({
      status: 'stopped',
      divergence: { cause: 'unexpected-call', name: 'refund_order', reason: expect.stringContaining('has no answer') },
    })
  })

  it('stops where the agent is not as recorded before the step', async () => {
    const other = async (ids: readonly string[]): Promise<unknown> => agent(ids.with(0, 'o9'))
    const run = await fork(trace, other, { at: 3, edit: { answer: 1 } })
    expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'input', step: 1 } })
  })

  it.each([
    [3, 3],
    [{ tool: 'refund_order' }, 2],
    [{ tool: 'refund_order', nth: 2 }, 5],
    [{ checkpoint: 'looked' }, 2],
    ['side-effect', 2],
  ] as const)('finds %j', async (at, step) => {
    const run = await fork(trace, agent, { at })
    expect(run.steps.filter(({ route }) => route === undefined)).toHaveLength(step - 1)
    expect(run.outcome).toEqual({ status: 'returned', output: [{ refunded: 'o1' }, 'packed', { refunded: 'o3' }] })
  })

  it('says what a run has instead of a moment', async () => {
    await expect(fork(trace, agent, { at: 9 })).rejects.toThrow('has no step 9 to fork at. It has 5 steps.')
    await expect(fork(trace, agent, { at: { turn: 1 } })).rejects.toThrow('no turn 1')
    await expect(fork(trace, agent, { at: { tool: 'cancel' } })).rejects.toThrow('Its tools: get_order, refund_order.')
    await expect(fork(trace, agent, { at: { checkpoint: 'x' } })).rejects.toThrow('Its checkpoints: looked.')
  })

  it('fails the call of the step with an error', async () => {
    const careful = async (ids: readonly string[]): Promise<unknown> => agent(ids).catch((error: Error) => error.message)
    const run = await fork(trace, careful, { at: 2, edit: { answer: new Error('timed out') } })
    expect(run.outcome).toEqual({ status: 'returned', output: 'timed out' })
  })

  it('runs what a route names, and refuses writes that it does not name', async () => {
    const before = counted()
    const edit = { answer: { id: 'o2', status: 'shipped' } }
    const named = await fork(trace, agent, { at: 3, edit, route: { refund_order: 'run' } })
    expect(named.outcome).toEqual({ status: 'returned', output: [{ refunded: 'o1' }, { refunded: 'o2' }, { refunded: 'o3' }] })
    expect(counted()).toEqual({ looked: before.looked, refunded: before.refunded + 2 })
    const unnamed = await fork(trace, agent, { at: 3, edit, route: { tool: 'live' } })
    expect(unnamed.outcome).toMatchObject({
      status: 'stopped',
      divergence: { name: 'refund_order', reason: expect.stringContaining(`route: { "refund_order": 'live' }`) },
    })
    expect(counted().refunded).toBe(before.refunded + 2)
  })
})

describe('a fork with live models', async () => {
  let turns = 0
  const provider = await startProvider({ script: ({ model }) => ({ text: `${model} says ${(turns += 1)}` }) })
  afterAll(() => provider.close())
  const openai = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl, maxRetries: 0 })
  async function ask(content: string, model = 'gpt-4.1'): Promise<string> {
    let text = ''
    for await (const { choices } of await openai.chat.completions.create({ model, messages: [{ role: 'user', content }], stream: true }))
      text += choices[0]?.delta.content ?? ''
    return text
  }
  const chat = async (questions: readonly string[]): Promise<string[]> => {
    const answers: string[] = []
    for (const question of questions) answers.push(await ask(`${question} ${answers.at(-1) ?? ''}`))
    return answers
  }

  it('asks the model from the step on, and replays', async () => {
    const { trace: chatted, output } = await recordRun(chat, { input: ['a', 'b', 'c'] })
    const asked = provider.exchanges.length
    const run = await fork(chatted, chat, { at: { turn: 2 }, then: 'live' })
    expect(provider.exchanges.length - asked).toBe(2)
    expect(run.outcome).toMatchObject({
      status: 'returned',
      output: [output[0], expect.stringContaining('says'), expect.stringContaining('says')],
    })
    expect(run.steps.map(({ route }) => route)).toEqual([undefined, 'live', 'live'])
    const forked = run.toTrace()
    const again = await replay(forked, chat)
    expect(again.divergences).toEqual([])
    expect(again.outcome).toEqual(run.outcome)
    expect(again.hash).toBe(forked.hash)
    expect(provider.exchanges.length - asked).toBe(2)
  })
})
