import { setTimeout as sleep } from 'node:timers/promises'
import { tool } from 'goldenrun'
import { type AskedCall, callApi, createDeskAgent, type Habits } from './desk-agent.ts'
import { type Incident, type IncidentAgent, stepOf, type Variant } from './incident.ts'
import type { World } from './world.ts'

interface Refund {
  readonly order_id: string
  readonly amount: number
}

const TOOLS = { get_order: 'Looks an order up.', refund_order: 'Refunds an order.' }

/** The refund is booked, the connection is lost, and the agent's retry books another one. */
export const doubleRefund: Incident = {
  name: 'double refund by timeout',
  story: 'The refund was booked, but the answer got lost. The agent tried again, and the customer was refunded twice.',
  input: { ticket: 'My lamp ord_1001 arrived broken. I want my money back.' },
  script: {
    model: [
      { calls: [{ name: 'get_order', args: { order_id: 'ord_1001' } }] },
      { calls: [{ name: 'refund_order', args: { order_id: 'ord_1001', amount: 4900 } }] },
      { text: 'Your money is on its way.' },
    ],
    api({ method, path, nth }) {
      if (method === 'GET') return { id: path.split('/').at(-1), total: 4900, status: 'delivered' }
      return nth === 1 ? 'hang up' : { id: `re_${nth}`, amount: 4900 }
    },
  },
  ways: [
    { name: 'bare', promote: (trace) => ({ at: stepOf(trace, 'refund_order', 2) }) },
    {
      name: 'answers',
      promote: (trace) => ({ at: stepOf(trace, 'refund_order', 2), answers: { ...LOOKED_UP, 'openai.chat': { text: 'It is refunded.' } } }),
    },
    {
      name: 'answers and check',
      promote: (trace) => ({
        at: stepOf(trace, 'refund_order', 2),
        answers: { ...LOOKED_UP, 'openai.chat': { text: 'It is refunded.' } },
        checks: [{ matcher: 'toHaveCalledTool', args: ['find_refund'] }],
      }),
    },
  ],
  original: (world) => createAgent(world, {}),
  variants: [
    wrong('unchanged', {}),
    wrong('one word of the prompt, and the bug', { prompt: 'You are a formal support agent.' }),
    wrong('a different model, and the bug', { model: 'gpt-5-mini' }),
    wrong('a tool described differently, and the bug', { tools: { ...TOOLS, refund_order: 'Refunds an order in full.' } }),
    wrong('an extra tool, and the bug', { tools: { ...TOOLS, find_refund: 'Finds a refund.' } }),
    wrong('a policy is read first, and the bug', { reads: ['/v1/policy'] }),
    wrong('throws at once', { opening: () => Promise.reject(new Error('No configuration.')) }),
    { name: 'returns at once', expect: 'does not hold', agent: () => () => Promise.resolve({ reply: 'Hello.' }) },
    wrong('never refunds', { refund: () => Promise.resolve({ error: 'refunds are switched off' }) }),
    wrong('tries again with a cent less', {
      refund: (book, refund) => book(refund).catch(() => book({ ...refund, amount: refund.amount - 1 })),
    }),
    wrong('tries again with a reason', { refund: (book, refund) => book(refund).catch(() => book({ ...refund, reason: 'retry' })) }),
    wrong('tries again after a pause', {
      refund: (book, refund) =>
        book(refund).catch(async () => {
          await sleep(2000)
          return book(refund)
        }),
    }),
    wrong('tries again a moment after it has answered', {
      refund: (book, refund) =>
        book(refund).catch(() => {
          setTimeout(() => void book(refund).catch(() => undefined), 50)
          return { status: 'pending' }
        }),
    }),
    wrong('tries again three times', {
      refund: (book, refund) => book(refund).catch(() => book(refund).catch(() => book(refund))),
    }),
    wrong('tries again when a coin says so', {
      refund: (book, refund) => book(refund).catch(() => (Math.random() < 0.5 ? book(refund) : { status: 'unknown' })),
    }),
    wrong('looks the refund up and refunds all the same', {
      refund: (book, refund, look) =>
        book(refund).catch(async () => {
          await look(refund)
          return book(refund)
        }),
    }),
    wrong('refunds twice before it looks', {
      refund: (book, refund, look) => book(refund).catch(() => book(refund).then(() => look(refund))),
    }),
    wrong('fails when the refund fails', { refund: (book, refund) => book(refund) }),
    wrong('the bug, refactored', {
      async refund(book, refund) {
        for (let left = 2; ; left -= 1) {
          try {
            return await book(refund)
          } catch (error) {
            if (left === 1) throw error
          }
        }
      },
    }),
    right('looks the refund up', { refund: lookUp }, 'holds'),
    right('looks the refund up, and another prompt', { refund: lookUp, prompt: 'You are a formal support agent.' }, 'holds'),
    right('looks the refund up, and a different model', { refund: lookUp, model: 'gpt-5-mini' }, 'holds'),
    right(
      'looks the refund up, with the tool for it offered',
      { refund: lookUp, tools: { ...TOOLS, find_refund: 'Finds a refund.' } },
      'holds',
    ),
    right('looks the refund up, and reads a policy first', { refund: lookUp, reads: ['/v1/policy'] }, 'holds'),
    right(
      'looks the refund up after a pause',
      {
        async refund(book, refund, look) {
          try {
            return await book(refund)
          } catch {
            await sleep(500)
            return look(refund)
          }
        },
      },
      'holds',
    ),
    right(
      'tells the model that it is not known',
      {
        refund: (book, refund) => book(refund).catch(() => ({ status: 'unknown' })),
      },
      'does not hold',
    ),
    {
      name: 'hands over to a person when the refund fails',
      expect: { bare: 'holds', answers: 'holds', 'answers and check': 'does not hold' },
      agent: (world) => {
        const agent = createAgent(world, {
          refund: (book, refund) =>
            book(refund).catch(() => {
              throw new HandOver()
            }),
        })
        return (input) =>
          agent(input).catch((error: unknown) => {
            if (error instanceof HandOver) return { reply: 'A colleague will look into it.' }
            throw error
          })
      },
    },
  ],
}

/** The same incident with the fix inside the tool: both requests have the same key. */
export const doubleRefundInTool: Incident = {
  ...doubleRefund,
  name: 'double refund, mended in the tool',
  ways: [
    {
      name: 'the tool runs',
      tools: { refund_order: 'run' },
      promote: (trace) => ({ at: stepOf(trace, 'refund_order', 2), tools: { refund_order: 'run' } }),
    },
  ],
  variants: [
    { name: 'unchanged', expect: 'does not hold', agent: (world) => createAgent(world, {}) },
    { name: 'one key for both', expect: 'holds', agent: (world) => createAgent(world, { keyOf: ({ order_id: id }) => `refund-${id}` }) },
    {
      name: 'one key for both, and another prompt',
      expect: 'holds',
      agent: (world) => createAgent(world, { keyOf: ({ order_id: id }) => `refund-${id}`, prompt: 'You are a formal support agent.' }),
    },
    { name: 'a new key for each', expect: 'does not hold', agent: (world) => createAgent(world, { keyOf: () => crypto.randomUUID() }) },
    {
      name: 'a key for the second only',
      expect: 'does not hold',
      agent: (world) => {
        let tries = 0
        return createAgent(world, { keyOf: ({ order_id: id }) => ((tries += 1) % 2 === 0 ? `refund-${id}` : undefined) })
      },
    },
    {
      name: 'one key for both, and a third refund without',
      expect: 'does not hold',
      agent: (world) => {
        let tries = 0
        return createAgent(world, {
          keyOf: ({ order_id: id }) => ((tries += 1) % 3 === 0 ? undefined : `refund-${id}`),
          refund: (book, refund) => book(refund).catch(() => book(refund).then(() => book(refund))),
        })
      },
    },
  ],
}

const LOOKED_UP = { find_refund: { id: 're_1', amount: 4900 }, http: { policy: 'generous' } }

type Book = (refund: Refund & { readonly reason?: string }) => Promise<unknown>

type Look = (refund: Refund) => Promise<unknown>

interface Ways extends Partial<Omit<Habits, 'act'>> {
  /** Paths to read before the first turn. */
  readonly reads?: readonly string[]
  /** Executes a refund. Default: retries once if it fails. */
  refund?(book: Book, refund: Refund, look: Look): Promise<unknown>
  /** The idempotency key of the request. Default: none. */
  keyOf?(refund: Refund): string | undefined
}

class HandOver extends Error {}

function createAgent(world: World, ways: Ways): IncidentAgent {
  const { reads = [], refund = (book, wanted) => book(wanted).catch(() => book(wanted)), keyOf = () => undefined, ...habits } = ways
  const getOrder = tool('get_order', { effect: 'read' }, (id: string) => callApi(world, 'GET', `/v1/orders/${id}`))
  const book = tool('refund_order', { effect: 'write' }, (wanted: Refund) => {
    const key = keyOf(wanted)
    return callApi(world, 'POST', '/v1/refunds', wanted, key === undefined ? {} : { 'idempotency-key': key })
  })
  const look = tool('find_refund', { effect: 'read' }, ({ order_id: id }: Refund) => callApi(world, 'GET', `/v1/refunds?order_id=${id}`))
  const act = ({ name, args }: AskedCall): Promise<unknown> =>
    name === 'get_order' ? getOrder(String(args['order_id'])) : refund(book, args as unknown as Refund, look)
  const opening = async (): Promise<void> => {
    for (const path of reads) await callApi(world, 'GET', path)
  }
  return createDeskAgent(world, { tools: TOOLS, opening, act, ...habits })
}

function lookUp(book: Book, refund: Refund, look: Look): Promise<unknown> {
  return book(refund).catch(() => look(refund))
}

function wrong(name: string, ways: Ways): Variant {
  return { name, expect: 'does not hold', agent: (world) => createAgent(world, ways) }
}

/** A correct variant: without answers nobody can tell; with them it holds. */
function right(name: string, ways: Ways, checked: 'holds' | 'does not hold'): Variant {
  return {
    name,
    expect: { bare: 'cannot tell', answers: 'holds', 'answers and check': checked },
    agent: (world) => createAgent(world, ways),
  }
}
