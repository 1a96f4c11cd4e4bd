import { tool } from 'goldenrun'
import { type AskedCall, callApi, createDeskAgent, type Habits } from './desk-agent.ts'
import { type Incident, type IncidentAgent, stepOf, type Variant } from './incident.ts'
import type { World } from './world.ts'

/** The dispatcher takes a return for a cancellation. */
export const wrongTool: Incident = {
  name: 'a wrong tool',
  story: 'The model asked for a return, and the agent cancelled the order.',
  input: { ticket: 'I want to send order ord_3 back.' },
  script: {
    model: [{ calls: [{ name: 'return_order', args: { order_id: 'ord_3' } }] }, { text: 'Done.' }],
    api: ({ path }) => ({ done: path }),
  },
  ways: [
    {
      name: 'check and answers',
      promote: (trace) => ({
        at: stepOf(trace, 'cancel_order'),
        answers: { return_order: { status: 'label sent' }, 'openai.chat': { text: 'The label is in your mail.' } },
        allowWrites: ['return_order'],
        checks: [{ matcher: 'toHaveCalledTool', args: ['return_order', { order_id: 'ord_3' }] }],
      }),
    },
  ],
  original: (world) => createAgent(world, { dispatch: () => 'cancel_order' }),
  variants: [
    wrong('unchanged', { dispatch: () => 'cancel_order' }),
    wrong('another prompt, and the bug', { dispatch: () => 'cancel_order', prompt: 'You are a formal support agent.' }),
    wrong('does nothing', { dispatch: () => undefined }),
    wrong('refunds it', { dispatch: () => 'refund_order' }),
    wrong('returns another order', { dispatch: (name) => name, order: () => 'ord_4' }),
    wrong('throws', { opening: () => Promise.reject(new Error('Broken.')) }),
    {
      name: 'returns it, and cancels it too',
      expect: 'does not hold',
      agent: (world) => createAgent(world, { dispatch: (name) => name, also: 'cancel_order' }),
    },
    {
      name: 'returns it, and cancels it after its answer',
      expect: 'does not hold',
      agent: (world) => createAgent(world, { dispatch: (name) => name, later: 'cancel_order' }),
    },
    fixed('returns it', { dispatch: (name) => name }),
    fixed('returns it, and another prompt', { dispatch: (name) => name, prompt: 'You are a formal support agent.' }),
    fixed('returns it, and a different model', { dispatch: (name) => name, model: 'gpt-5' }),
  ],
}

/** Dollars were converted to cents twice. */
export const wrongAmount: Incident = {
  name: 'a wrong amount',
  story: 'The customer was to get 49.00 back and got 4900.00.',
  input: { ticket: 'Refund me the 49 dollars for ord_9.' },
  script: {
    model: [{ calls: [{ name: 'refund_order', args: { order_id: 'ord_9', dollars: 49 } }] }, { text: 'Done.' }],
    api: () => ({ id: 're_1' }),
  },
  ways: [
    {
      name: 'check and answers',
      promote: (trace) => ({
        at: stepOf(trace, 'refund_order'),
        answers: { refund_order: { id: 're_2' }, 'openai.chat': { text: 'You get 49 dollars.' } },
        checks: [{ matcher: 'toHaveCalledTool', args: ['refund_order', { amount: 4900 }] }],
      }),
    },
  ],
  original: (world) => createAgent(world, { cents: (dollars) => dollars * 10_000 }),
  variants: [
    wrong('unchanged', { cents: (dollars) => dollars * 10_000 }),
    wrong('another prompt, and the bug', { cents: (dollars) => dollars * 10_000, prompt: 'You are a formal support agent.' }),
    wrong('a cent less', { cents: (dollars) => dollars * 10_000 - 1 }),
    wrong('dollars', { cents: (dollars) => dollars }),
    wrong('does nothing', { dispatch: () => undefined }),
    wrong('another order', { order: () => 'ord_10', cents: (dollars) => dollars * 10_000 }),
    wrong('the right amount, and then the wrong one', { cents: (dollars) => dollars * 100, also: 'refund_order' }),
    wrong('returns at once', { maxTurns: 0 }),
    fixed('the right amount', { cents: (dollars) => dollars * 100 }),
    fixed('the right amount, and a different model', { cents: (dollars) => dollars * 100, model: 'gpt-5' }),
    fixed('the right amount, refactored', { cents: (dollars) => Math.round(dollars / 0.01) }),
  ],
}

type Write = 'cancel_order' | 'return_order' | 'refund_order'

interface Ways extends Partial<Omit<Habits, 'act'>> {
  /** Returns the tool to call when the model asks for one. Default: the same one. */
  dispatch?(name: Write): Write | undefined
  /** Default: the model's order. */
  order?(): string
  /** Default: none. */
  cents?(dollars: number): number
  /** A further write, before the model gets the result of the first. Default: none. */
  readonly also?: Write
  /** A further write, after the answer. Default: none. */
  readonly later?: Write
}

function createAgent(world: World, ways: Ways): IncidentAgent {
  const { dispatch = (name) => name, order, cents, also, later, ...habits } = ways
  const write = (name: Write): ((args: object) => Promise<unknown>) =>
    tool(name, { effect: 'write' }, (args: object) => callApi(world, 'POST', `/v1/${name}`, args))
  const writes = { cancel_order: write('cancel_order'), return_order: write('return_order'), refund_order: write('refund_order') }
  const act = async ({ name, args }: AskedCall): Promise<unknown> => {
    const called = dispatch(name as Write)
    if (called === undefined) return { status: 'ok' }
    const id = order?.() ?? args['order_id']
    const wanted = { order_id: id, ...(cents && { amount: cents(Number(args['dollars'])) }) }
    const result = await writes[called](wanted)
    if (also !== undefined) await writes[also]({ ...wanted, ...(cents && { amount: Number(args['dollars']) * 10_000 }) })
    if (later !== undefined) setTimeout(() => void writes[later](wanted).catch(() => undefined), 100)
    return result
  }
  return createDeskAgent(world, { tools: { return_order: 'Takes an order back.', refund_order: 'Refunds an order.' }, act, ...habits })
}

function wrong(name: string, ways: Ways): Variant {
  return { name, expect: 'does not hold', agent: (world) => createAgent(world, ways) }
}

function fixed(name: string, ways: Ways): Variant {
  return { name, expect: 'holds', agent: (world) => createAgent(world, ways) }
}
