import { expect, it } from 'vitest'
import type { ExpectedCall, SequenceOptions } from '../../src/matchers/matcher-types.ts'
import { buildRun, cancelSteps, modelStep, toolStep } from './build-run.ts'
import { failureOf } from './failure-of.ts'

const run = buildRun({
  recorded: [
    toolStep(1, 'get_order', { id: 'ord_1' }),
    toolStep(2, 'get_order', { id: 'ord_2' }),
    toolStep(3, 'cancel_order', { id: 'ord_2', reason: { code: 7, text: 'late' } }),
  ],
})

type Case = readonly [what: string, sequence: readonly ExpectedCall[], options: SequenceOptions]

const exact: SequenceOptions = {}

const passing: readonly Case[] = [
  ['the names, in order', ['get_order', 'get_order', 'cancel_order'], exact],
  [
    'names with at least these arguments',
    [{ name: 'get_order', args: { id: 'ord_1' } }, { name: 'get_order' }, { name: 'cancel_order', args: { reason: { code: 7 } } }],
    exact,
  ],
  [
    'asymmetric matchers',
    ['get_order', 'get_order', { name: 'cancel_order', args: { id: expect.stringMatching(/^ord_/) as unknown } }],
    exact,
  ],
  [
    'asymmetric arguments',
    ['get_order', 'get_order', { name: 'cancel_order', args: expect.objectContaining({ id: 'ord_2' }) as unknown }],
    exact,
  ],
  ['some of them in order', ['get_order', 'cancel_order'], { order: 'subsequence' }],
  ['none of them', [], { order: 'subsequence' }],
  ['all in any order', ['cancel_order', 'get_order', 'get_order'], { order: 'any' }],
  [
    'all in any order, an exact one behind a vague one',
    ['get_order', { name: 'get_order', args: { id: 'ord_1' } }, 'cancel_order'],
    { order: 'any' },
  ],
  ['at least these', ['cancel_order'], { order: 'any', extra: true }],
]

const failing: readonly Case[] = [
  ['a call less', ['get_order', 'get_order'], exact],
  ['a call more', ['get_order', 'get_order', 'cancel_order', 'refund_order'], exact],
  ['another order', ['get_order', 'cancel_order', 'get_order'], exact],
  ['other arguments', [{ name: 'get_order', args: { id: 'ord_2' } }, 'get_order', 'cancel_order'], exact],
  ['an argument more', ['get_order', 'get_order', { name: 'cancel_order', args: { note: 'x' } }], exact],
  ['a subsequence in another order', ['cancel_order', 'get_order'], { order: 'subsequence' }],
  ['a call twice that was made once', ['cancel_order', 'cancel_order'], { order: 'subsequence' }],
  ['a call less, in any order', ['cancel_order', 'get_order'], { order: 'any' }],
  ['a call more, in any order', ['cancel_order', 'get_order', 'get_order', 'get_order'], { order: 'any' }],
  [
    'one call for two',
    [{ name: 'get_order', args: { id: 'ord_1' } }, { name: 'get_order', args: { id: 'ord_1' } }, 'cancel_order'],
    { order: 'any' },
  ],
  ['what was not called, among others', ['refund_order'], { order: 'any', extra: true }],
]

it.each(passing)('passes on %s', (_, sequence, options) => {
  expect(run).toHaveCalledTools(sequence, options)
  expect(failureOf(() => expect(run).not.toHaveCalledTools(sequence, options))).toMatch(
    /^Expected the tool calls of "cancel-unshipped" not to be /,
  )
})

it.each(failing)('fails on %s', (_, sequence, options) => {
  expect(run).not.toHaveCalledTools(sequence, options)
  expect(failureOf(() => expect(run).toHaveCalledTools(sequence, options))).toMatch(/^Expected the tool calls of "cancel-unshipped" to be /)
})

it('says which call is the first that differs', () => {
  expect(failureOf(() => expect(run).toHaveCalledTools(['get_order', { name: 'refund_order', args: { id: 'ord_1' } }]))).toBe(
    `Expected the tool calls of "cancel-unshipped" to be these, in this order:
    1  get_order
    2  refund_order({"id":"ord_1"})  ← not called here
They were:
    1  get_order({"id":"ord_1"})
    2  get_order({"id":"ord_2"})  ← not expected
    3  cancel_order({"id":"ord_2","reason":{"code":7,"text":"late"}})`,
  )
})

it('draws how the arguments of a call differ, in the fields that are expected', () => {
  const sequence = ['get_order', 'get_order', { name: 'cancel_order', args: { id: 'ord_3', reason: { code: 7 } } }]
  expect(failureOf(() => expect(run).toHaveCalledTools(sequence))).toBe(
    `Expected the tool calls of "cancel-unshipped" to be these, in this order:
    1  get_order
    2  get_order
    3  cancel_order({"id":"ord_3","reason":{"code":7}})  ← not called here
They were:
    1  get_order({"id":"ord_1"})
    2  get_order({"id":"ord_2"})
    3  cancel_order({"id":"ord_2","reason":{"code":7,"text":"late"}})  ← not expected
The arguments of cancel_order differ:
- Expected
+ Received

  {
-   "id": "ord_3",
+   "id": "ord_2",
    "reason": {
      "code": 7,
    },
  }`,
  )
})

it('says which call is missing from a subsequence', () => {
  expect(failureOf(() => expect(run).toHaveCalledTools(['cancel_order', 'get_order'], { order: 'subsequence' }))).toBe(
    `Expected the tool calls of "cancel-unshipped" to be these, in this order, with others between them:
    1  cancel_order
    2  get_order  ← not called from here on
They were:
    1  get_order({"id":"ord_1"})
    2  get_order({"id":"ord_2"})
    3  cancel_order({"id":"ord_2","reason":{"code":7,"text":"late"}})`,
  )
})

it('says which calls are missing and which are too many, in any order', () => {
  expect(failureOf(() => expect(run).toHaveCalledTools(['find_refund', 'get_order'], { order: 'any' }))).toBe(
    `Expected the tool calls of "cancel-unshipped" to be these, in any order:
    1  find_refund  ← not called
    2  get_order
They were:
    1  get_order({"id":"ord_1"})
    2  get_order({"id":"ord_2"})  ← not expected
    3  cancel_order({"id":"ord_2","reason":{"code":7,"text":"late"}})  ← not expected`,
  )
  expect(failureOf(() => expect(run).toHaveCalledTools(['find_refund', 'get_order'], { order: 'any', extra: true }))).toBe(
    `Expected the tool calls of "cancel-unshipped" to be at least these, in any order:
    1  find_refund  ← not called
    2  get_order
They were:
    1  get_order({"id":"ord_1"})
    2  get_order({"id":"ord_2"})
    3  cancel_order({"id":"ord_2","reason":{"code":7,"text":"late"}})`,
  )
})

it('says what was not to be, when negated', () => {
  expect(failureOf(() => expect(run).not.toHaveCalledTools(['cancel_order'], { order: 'subsequence' }))).toBe(
    `Expected the tool calls of "cancel-unshipped" not to be these, in this order, with others between them:
    1  cancel_order
They were:
    1  get_order({"id":"ord_1"})
    2  get_order({"id":"ord_2"})
    3  cancel_order({"id":"ord_2","reason":{"code":7,"text":"late"}})`,
  )
})

it('counts calls that the model asked for and no wrapped tool ran', () => {
  const asking = {
    role: 'assistant',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'find_refund', arguments: '{"id":1}' } }],
  }
  const asked = buildRun({ recorded: [modelStep(1, [], asking)] })
  expect(asked).toHaveCalledTools([{ name: 'find_refund', args: { id: 1 } }])
  expect(failureOf(() => expect(asked).toHaveCalledTools([]))).toBe(
    `Expected the tool calls of "cancel-unshipped" to be these, in this order:
    nothing
They were:
    1  find_refund({"id":1}) (asked for, not run as a wrapped tool)  ← not expected`,
  )
})

it('shows of many calls those around the first that differs', () => {
  const calls = Array.from({ length: 60 }, (_, index) => toolStep(index + 1, `tool_${index + 1}`, {}))
  const many = buildRun({ recorded: calls })
  const sequence = calls.map(({ name }) => (name === 'tool_41' ? 'other' : name))
  const message = failureOf(() => expect(many).toHaveCalledTools(sequence))
  expect(message.split('\n')).toHaveLength(38)
  expect(message).toContain('… 32 more\n   33  tool_33({})\n')
  expect(message).toContain('\n   41  tool_41({})  ← not expected\n')
  expect(message).toMatch(/\n {3}48 {2}tool_48\(\{\}\)\n {7}… 12 more$/)
})

it('refuses what it does not understand', () => {
  const refusals: readonly (readonly [sequence: unknown, options: unknown, message: string])[] = [
    ['get_order', {}, 'toHaveCalledTools: the option "sequence" has to be a list of tool names, got "get_order".'],
    [
      [{ tool: 'get_order' }],
      {},
      'toHaveCalledTools: the option "sequence" has to hold tool names or { name, args }, got {"tool":"get_order"}.',
    ],
    [[], { order: 'some' }, 'toHaveCalledTools: the option "order" has to be "exact", "subsequence" or "any", got "some".'],
    [[], { extra: true }, 'toHaveCalledTools: the option "extra" requires the order "any"; "subsequence" allows other calls anyway.'],
    [[], { sorted: true }, 'toHaveCalledTools: the option "sorted" is not known. It takes: order, extra.'],
  ]
  for (const [sequence, options, message] of refusals) {
    const assert = (): void => void expect(buildRun({ recorded: cancelSteps })).not.toHaveCalledTools(sequence as never, options as never)
    expect(failureOf(assert)).toBe(message)
  }
})
