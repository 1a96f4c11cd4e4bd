import { tool } from 'goldenrun'
import { type AskedCall, callApi, createDeskAgent, type Habits } from './desk-agent.ts'
import { type Incident, type IncidentAgent, stepOf, type Variant } from './incident.ts'
import type { World } from './world.ts'

/** An order without items crashes the agent. */
export const crash: Incident = {
  name: 'a crash',
  story: 'An order had no items, the agent threw a TypeError, and the customer saw an error page.',
  input: { ticket: 'Where is ord_5?' },
  script: {
    model: [{ calls: [{ name: 'get_order', args: { order_id: 'ord_5' } }] }, { text: 'It is on its way.' }],
    api: () => ({ id: 'ord_5', status: 'shipped' }),
  },
  ways: [
    {
      name: 'check',
      promote: (trace) => ({
        trigger: stepOf(trace, 'get_order'),
        at: stepOf(trace, 'get_order'),
        checks: [{ matcher: 'toHaveOutcome', args: [{ status: 'returned', output: { reply: 'It is on its way.' } }] }],
      }),
    },
    {
      name: 'check and answers',
      promote: (trace) => ({
        trigger: stepOf(trace, 'get_order'),
        at: stepOf(trace, 'get_order'),
        answers: { 'openai.chat': { text: 'It is on its way.' } },
        checks: [{ matcher: 'toHaveOutcome', args: [{ status: 'returned', output: { reply: 'It is on its way.' } }] }],
      }),
    },
  ],
  original: (world) => createAgent(world, {}),
  variants: [
    wrong('unchanged', {}),
    wrong('another prompt, and the bug', { prompt: 'You are a formal support agent.' }),
    wrong('throws its own error', { count: () => fail(new Error('The order is broken.')) }),
    wrong('throws before it looks', { opening: () => Promise.reject(new Error('Broken.')) }),
    wrong('never looks', { act: () => Promise.resolve({ status: 'unknown' }) }),
    { name: 'returns nothing in place of the error', expect: 'does not hold', agent: (world) => swallow(createAgent(world, {})) },
    right('counts no items as none', { count: ({ items = [] }) => items.length }),
    right('counts no items as none, and another prompt', {
      count: ({ items = [] }) => items.length,
      prompt: 'You are a formal support agent.',
    }),
    right('does not count', { count: () => undefined }),
  ],
}

interface Order {
  readonly id: string
  readonly items?: readonly unknown[]
}

interface Ways extends Partial<Habits> {
  /** Default: the number of items, which fails if there are none. */
  count?(order: Order): number | undefined
}

function createAgent(world: World, { count = ({ items }) => (items as readonly unknown[]).length, ...habits }: Ways): IncidentAgent {
  const getOrder = tool('get_order', { effect: 'read' }, (id: string) => callApi(world, 'GET', `/v1/orders/${id}`) as Promise<Order>)
  const act = async ({ args }: AskedCall): Promise<unknown> => {
    const order = await getOrder(String(args['order_id']))
    return { ...order, count: count(order) }
  }
  return createDeskAgent(world, { tools: { get_order: 'Looks an order up.' }, act, ...habits })
}

function swallow(agent: IncidentAgent): IncidentAgent {
  return (input) => agent(input).catch(() => undefined)
}

function fail(error: Error): never {
  throw error
}

function wrong(name: string, ways: Ways): Variant {
  return { name, expect: 'does not hold', agent: (world) => createAgent(world, ways) }
}

function right(name: string, ways: Ways): Variant {
  return { name, expect: { check: 'cannot tell', 'check and answers': 'holds' }, agent: (world) => createAgent(world, ways) }
}
