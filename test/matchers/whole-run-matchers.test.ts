import { expect, it } from 'vitest'
import type { Limits, Times } from '../../src/matchers/matcher-types.ts'
import { buildRun, cancelSteps, incidentSteps, modelStep, toolStep } from './build-run.ts'
import { failureOf } from './failure-of.ts'

const run = buildRun({
  checkpoints: [
    { name: 'order-found', state: { order: { id: 'ord_1', status: 'new' } } },
    { name: 'order-found', state: { order: { id: 'ord_1', status: 'packed' } } },
    { name: 'done', state: { at: 4 } },
  ],
  virtualMs: 1500,
})
const idle = buildRun({ recorded: [] })

it('tells whether a tool was called', () => {
  expect(run).toHaveCalledTool('get_order')
  expect(run).toHaveCalledTool('get_order', { id: 'ord_1' })
  expect(run).toHaveCalledTool('get_order', { id: expect.any(String) as unknown })
  expect(run).not.toHaveCalledTool('refund_order')
  expect(run).not.toHaveCalledTool('get_order', { id: 'ord_2' })
})

it('says what was called in place of a tool', () => {
  expect(failureOf(() => expect(run).toHaveCalledTool('refund_order', { id: 'ord_1' }))).toBe(
    `Expected "cancel-unshipped" to call refund_order({"id":"ord_1"}). It called:
    1  get_order({"id":"ord_1"})
    2  cancel_order({"id":"ord_1"})`,
  )
  expect(failureOf(() => expect(idle).toHaveCalledTool('refund_order'))).toBe(
    'Expected "cancel-unshipped" to call refund_order. It called no tools.',
  )
  expect(failureOf(() => expect(run).toHaveCalledTool('get_order', { id: 'ord_2', deep: expect.any(Number) as unknown }))).toBe(
    `Expected "cancel-unshipped" to call get_order({"id":"ord_2","deep":Any<Number>}). It called it with different arguments:
    1  get_order({"id":"ord_1"})
Step 2 differs in:
- Expected
+ Received

  {
-   "deep": Any<Number>,
-   "id": "ord_2",
+   "id": "ord_1",
  }`,
  )
  expect(failureOf(() => expect(run).toHaveCalledTool('get_order', { constructor: 1 }))).toMatch(
    /\n- \{\n- {3}"constructor": 1,\n- \}\n\+ \{\}$/,
  )
  expect(failureOf(() => expect(run).not.toHaveCalledTool('get_order'))).toBe(
    'Expected "cancel-unshipped" not to call get_order, but at step 2 it called get_order({"id":"ord_1"}).',
  )
  expect(failureOf(() => expect(run).not.toHaveCalledTool(''))).toBe('toHaveCalledTool: the option "name" has to be a name, got "".')
})

const twice = buildRun({ recorded: [toolStep(1, 'get_order', { id: 1 }), toolStep(2, 'get_order', { id: 2 })] })
const right: readonly Times[] = [2, { min: 2 }, { max: 2 }, { min: 1, max: 3 }]
const wrong: readonly Times[] = [1, 0, 3, { min: 3 }, { max: 1 }, { min: 0, max: 0 }]

it.each(right)('counts the calls of a tool as %o', (count) => {
  expect(twice).toHaveCalledToolTimes('get_order', count)
})

it.each(wrong)('does not count the calls of a tool as %o', (count) => {
  expect(twice).not.toHaveCalledToolTimes('get_order', count)
})

it('says how often a tool was called', () => {
  expect(failureOf(() => expect(run).toHaveCalledToolTimes('get_order', 2))).toBe(
    'Expected "cancel-unshipped" to call get_order 2 times, but it did once:\n    1  get_order({"id":"ord_1"})',
  )
  expect(failureOf(() => expect(run).toHaveCalledToolTimes('x', { min: 1 }))).toBe(
    'Expected "cancel-unshipped" to call x at least once, but it never did.',
  )
  expect(failureOf(() => expect(run).toHaveCalledToolTimes('x', { min: 1, max: 3 }))).toBe(
    'Expected "cancel-unshipped" to call x 1 to 3 times, but it never did.',
  )
  expect(failureOf(() => expect(run).not.toHaveCalledToolTimes('x', { max: 2 }))).toBe(
    'Expected "cancel-unshipped" not to call x at most 2 times, but it never did.',
  )
})

it.each([
  [-1, 'toHaveCalledToolTimes: the option "times" has to be a whole number of 0 or more, got -1.'],
  [1.5, 'toHaveCalledToolTimes: the option "times" has to be a whole number of 0 or more, got 1.5.'],
  [undefined, 'toHaveCalledToolTimes: the option "times" has to be a count or { min, max }, got undefined.'],
  [{}, 'toHaveCalledToolTimes: the option "times" has to name a min or a max.'],
  [{ min: 2, max: 1 }, 'toHaveCalledToolTimes: the option "times" has a min of 2 above its max of 1.'],
  [{ least: 1 }, 'toHaveCalledToolTimes: the option "least" is not known. It takes: min, max.'],
])('refuses the count %o, negated too', (count, message) => {
  expect(failureOf(() => expect(run).toHaveCalledToolTimes('x', count as Times))).toBe(message)
  expect(failureOf(() => expect(run).not.toHaveCalledToolTimes('x', count as Times))).toBe(message)
})

it('tells whether a checkpoint was reached, with at least some state', () => {
  expect(run).toHaveReachedCheckpoint('done')
  expect(run).toHaveReachedCheckpoint('order-found', { order: { status: 'packed' } })
  expect(run).toHaveReachedCheckpoint('order-found', { order: { id: expect.stringContaining('ord') as unknown } })
  expect(run).not.toHaveReachedCheckpoint('order-lost')
  expect(run).not.toHaveReachedCheckpoint('order-found', { order: { status: 'sent' } })
})

it('says what a checkpoint was reached with', () => {
  expect(failureOf(() => expect(run).toHaveReachedCheckpoint('order-found', { order: { status: 'sent' } }))).toBe(
    `Expected "cancel-unshipped" to reach checkpoint "order-found" with the state {"order":{"status":"sent"}}. It reached it with a different state:
- Expected
+ Received

  {
    "order": {
-     "status": "sent",
+     "status": "new",
    },
  }`,
  )
  expect(failureOf(() => expect(run).toHaveReachedCheckpoint('lost'))).toBe(
    'Expected "cancel-unshipped" to reach checkpoint "lost". It reached: order-found, done.',
  )
  expect(failureOf(() => expect(idle).toHaveReachedCheckpoint('lost'))).toBe(
    'Expected "cancel-unshipped" to reach checkpoint "lost". It reached no checkpoint.',
  )
  expect(failureOf(() => expect(run).not.toHaveReachedCheckpoint('done'))).toBe(
    'Expected "cancel-unshipped" not to reach checkpoint "done", but it did, with the state {"at":4}.',
  )
})

it('tells what the side effects are, all of them and in order', () => {
  const incident = buildRun({ recorded: incidentSteps })
  expect(run).toHaveSideEffects(['cancel_order'])
  expect(run).toHaveSideEffects([{ name: 'cancel_order', args: { id: 'ord_1' } }])
  expect(idle).toHaveSideEffects([])
  expect(incident).toHaveSideEffects(['refund_order', 'refund_order'])
  expect(incident).not.toHaveSideEffects(['refund_order'])
  expect(failureOf(() => expect(incident).toHaveSideEffects(['refund_order']))).toBe(
    `Expected the side effects of "cancel-unshipped" to be these, in this order:
    1  refund_order
They were:
    1  refund_order({"order_id":"ord_1001","amount":20})
    2  refund_order({"order_id":"ord_1001","amount":20})  ← not expected`,
  )
  expect(failureOf(() => expect(run).not.toHaveSideEffects(['cancel_order']))).toBe(
    `Expected the side effects of "cancel-unshipped" not to be these, in this order:
    1  cancel_order
They were:
    1  cancel_order({"id":"ord_1"})`,
  )
})

it('finds side effects that were made twice', () => {
  const write = (step: number, name: string, input: unknown, key?: string): ReturnType<typeof toolStep> =>
    toolStep(step, name, input, { effect: 'write', ...(key === undefined ? {} : { idempotencyKey: key }) })
  expect(run).toHaveNoRepeatedSideEffects()
  expect(buildRun({ recorded: [write(1, 'refund', { id: 1 }), write(2, 'refund', { id: 2 })] })).toHaveNoRepeatedSideEffects()
  expect(buildRun({ recorded: [write(1, 'refund', { id: 1 }), write(2, 'cancel', { id: 1 })] })).toHaveNoRepeatedSideEffects()
  expect(buildRun({ recorded: [write(1, 'refund', { id: 1 }, 'a'), write(2, 'refund', { id: 1 }, 'b')] })).toHaveNoRepeatedSideEffects()
  expect(buildRun({ recorded: [toolStep(1, 'get', {}), toolStep(2, 'get', {})] })).toHaveNoRepeatedSideEffects()
  expect(buildRun({ recorded: [write(1, 'refund', { a: 1, b: 2 }), write(2, 'refund', { b: 2, a: 1 })] })).not.toHaveNoRepeatedSideEffects()
  const repeated = buildRun({ recorded: [...incidentSteps, write(7, 'cancel', 1, 'k'), write(8, 'cancel', 2, 'k')] })
  expect(failureOf(() => expect(repeated).toHaveNoRepeatedSideEffects())).toBe(
    `Expected "cancel-unshipped" to make each side effect once.
    step 5 repeats step 4: refund_order({"order_id":"ord_1001","amount":20})
    step 8 repeats step 7: cancel(2) (idempotency key k)`,
  )
  expect(failureOf(() => expect(run).not.toHaveNoRepeatedSideEffects())).toBe(
    'Expected "cancel-unshipped" to repeat a side effect, but it made each of its 1 once.',
  )
})

const prices = { 'gpt-4.1-mini': { input: 0.4, output: 1.6 } }

const kept: readonly Limits[] = [
  { costUsd: 0.000104, prices },
  { steps: 5 },
  { modelCalls: 3, toolCalls: 2 },
  { inputTokens: 180, outputTokens: 20 },
  { virtualMs: 1500 },
]
const exceeded: readonly Limits[] = [
  { costUsd: 0.000103, prices },
  { steps: 4 },
  { modelCalls: 2, toolCalls: 2 },
  { toolCalls: 1 },
  { inputTokens: 179 },
  { outputTokens: 19 },
  { virtualMs: 1499 },
]

it.each(kept)('finds a run within %o', (limits) => {
  expect(run).toStayWithin(limits)
})

it.each(exceeded)('finds a run beyond %o', (limits) => {
  expect(run).not.toStayWithin(limits)
})

it('says which limits a run exceeds', () => {
  expect(failureOf(() => expect(run).toStayWithin({ steps: 4, modelCalls: 3, outputTokens: 10 }))).toBe(
    `Expected "cancel-unshipped" to stay within its limits.
    steps  5, with a limit of 4
    outputTokens  20, with a limit of 10`,
  )
  expect(failureOf(() => expect(run).not.toStayWithin({ steps: 5 }))).toBe(
    'Expected "cancel-unshipped" to exceed a limit.\n    steps  5, with a limit of 5',
  )
})

it('does not pass a token limit without known usage, negated or not', () => {
  const silent = buildRun({ recorded: [...cancelSteps, modelStep(6, [], { role: 'assistant', content: '' })] })
  const message =
    'toStayWithin cannot tell how many tokens "cancel-unshipped" used: no usage was reported at step 6. ' +
    'Have the provider report it (for OpenAI streams: stream_options: { include_usage: true }).'
  expect(failureOf(() => expect(silent).toStayWithin({ inputTokens: 1000 }))).toBe(message)
  expect(failureOf(() => expect(silent).not.toStayWithin({ inputTokens: 1000 }))).toBe(message)
  expect(silent).toStayWithin({ steps: 6 })
})

it('does not pass a cost limit without known prices, negated or not', () => {
  const message =
    'toStayWithin cannot tell what "cancel-unshipped" cost: no price is given for gpt-4.1-mini. ' +
    'Give it in US dollars per million tokens: prices: { "gpt-4.1-mini": { input: 0.4, output: 1.6 } }.'
  const limits = { costUsd: 1, prices: { 'gpt-5': { input: 1, output: 1 } } }
  expect(failureOf(() => expect(run).toStayWithin(limits))).toBe(message)
  expect(failureOf(() => expect(run).not.toStayWithin(limits))).toBe(message)
})

it('counts what came from the cache by its own price', () => {
  const cached = buildRun({
    recorded: [
      modelStep(
        1,
        [],
        { role: 'assistant', content: '' },
        { prompt_tokens: 1000, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 600 } },
      ),
    ],
  })
  // 400 tokens at 2 dollars, 600 at 0.5, 10 at 8.
  const price = { input: 2, output: 8, cacheRead: 0.5 }
  expect(cached).toStayWithin({ costUsd: 0.00118, prices: { 'gpt-4.1-mini': price } })
  expect(cached).not.toStayWithin({ costUsd: 0.001179, prices: { 'gpt-4.1-mini': price } })
})

it.each([
  [
    {},
    'toStayWithin: the option "limits" has to name at least one of steps, modelCalls, toolCalls, inputTokens, outputTokens, virtualMs, costUsd.',
  ],
  [undefined, 'toStayWithin: the option "limits" has to be an object of limits, got undefined.'],
  [
    { costEur: 1 },
    'toStayWithin: the option "costEur" is not known. It takes: steps, modelCalls, toolCalls, inputTokens, outputTokens, virtualMs, costUsd, prices.',
  ],
  [
    { costUsd: 1, prices: { 'gpt-4.1-mini': { input: 1 } } },
    'toStayWithin: the option "prices" has to have { input, output } in US dollars per million tokens for "gpt-4.1-mini".',
  ],
  [{ steps: '5' }, 'toStayWithin: the option "steps" has to be a number of 0 or more, got "5".'],
  [{ steps: Number.NaN }, 'toStayWithin: the option "steps" has to be a number of 0 or more, got NaN.'],
])('refuses the limits %o, negated too', (given, message) => {
  expect(failureOf(() => expect(run).toStayWithin(given as Limits))).toBe(message)
  expect(failureOf(() => expect(run).not.toStayWithin(given as Limits))).toBe(message)
})
