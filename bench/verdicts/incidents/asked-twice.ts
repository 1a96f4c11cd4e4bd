import { tool } from 'goldenrun'
import { type AskedCall, callApi, createDeskAgent, type Habits } from './desk-agent.ts'
import { type Incident, type IncidentAgent, stepOf, type Variant } from './incident.ts'
import type { World } from './world.ts'

/** The model takes "pending" for a failure and asks for the refund again. */
export const askedTwice: Incident = {
  name: 'a repeat that the model asks for',
  story: 'The refund was pending. The model asked for it again, and the agent carried it out.',
  input: { ticket: 'Please refund order ord_7.' },
  script: {
    model: [
      { calls: [{ name: 'refund_order', args: { order_id: 'ord_7', amount: 1200 } }] },
      { calls: [{ name: 'refund_order', args: { order_id: 'ord_7', amount: 1200 } }] },
      { text: 'It is refunded now.' },
    ],
    api: ({ nth }) => ({ id: `re_${nth}`, status: 'pending' }),
  },
  ways: [
    { name: 'bare', promote: (trace) => ({ at: stepOf(trace, 'refund_order', 2) }) },
    {
      name: 'answers',
      promote: (trace) => ({ at: stepOf(trace, 'refund_order', 2), answers: { 'openai.chat': { text: 'It is on its way.' } } }),
    },
  ],
  original: (world) => createAgent(world, {}),
  variants: [
    wrong('unchanged', {}),
    // The recorded model answers as before: no recording shows the effect of a changed prompt.
    wrong('a prompt that forbids it', { prompt: 'You are a friendly support agent. Never refund an order twice.' }),
    wrong('a tool description that forbids it', { tools: { refund_order: 'Refunds an order. Never call it twice for one order.' } }),
    wrong('a different model', { model: 'gpt-5' }),
    wrong('a second refund of half of it', { again: (book, refund) => book({ ...refund, amount: 600 }) }),
    wrong('gives up before it refunds', { opening: () => Promise.reject(new Error('Not today.')) }),
    wrong('fails at the second one', { again: () => Promise.reject(new Error('Refunded before.')) }),
    wrong('remembers refunds, but by the call and not by the order', { remembersBy: (_refund, nth) => String(nth) }),
    right('answers the second one from memory', { remembersBy: ({ order_id: id }) => id }),
    right('answers the second one from memory, and another prompt', {
      remembersBy: ({ order_id: id }) => id,
      prompt: 'You are a formal support agent.',
    }),
    right('tells the model that it has been done', { again: () => Promise.resolve({ status: 'done before' }) }),
    {
      name: 'ends the run at the second one',
      expect: 'holds',
      agent: (world) => {
        const agent = createAgent(world, { again: () => Promise.reject(new DoneBefore()) })
        return (input) =>
          agent(input).catch((error: unknown) => {
            if (error instanceof DoneBefore) return { reply: 'Your refund is on its way.' }
            throw error
          })
      },
    },
  ],
}

interface Refund {
  readonly order_id: string
  readonly amount: number
}

type Book = (refund: Refund) => Promise<unknown>

interface Ways extends Partial<Omit<Habits, 'act'>> {
  /** Handles a second refund of the same order. Default: it is booked. */
  again?(book: Book, refund: Refund): Promise<unknown>
  /** Returns a key: refunds with the same key are booked once and get the first answer. Default: every refund is booked. */
  remembersBy?(refund: Refund, nth: number): string
}

class DoneBefore extends Error {}

function createAgent(world: World, { again = (book, refund) => book(refund), remembersBy, ...habits }: Ways): IncidentAgent {
  const book = tool('refund_order', { effect: 'write' }, (refund: Refund) => callApi(world, 'POST', '/v1/refunds', refund))
  return async (input) => {
    const known = new Map<string, unknown>()
    let nth = 0
    const act = async ({ args }: AskedCall): Promise<unknown> => {
      const refund = args as unknown as Refund
      nth += 1
      const key = remembersBy?.(refund, nth)
      if (key !== undefined && known.has(key)) return known.get(key)
      const result = nth === 1 || key !== undefined ? await book(refund) : await again(book, refund)
      if (key !== undefined) known.set(key, result)
      return result
    }
    return createDeskAgent(world, { tools: { refund_order: 'Refunds an order.' }, act, ...habits })(input)
  }
}

function wrong(name: string, ways: Ways): Variant {
  return { name, expect: 'does not hold', agent: (world) => createAgent(world, ways) }
}

function right(name: string, ways: Ways): Variant {
  return { name, expect: { bare: 'cannot tell', answers: 'holds' }, agent: (world) => createAgent(world, ways) }
}
