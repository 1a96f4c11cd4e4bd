import { expect, it } from 'vitest'
import type { RunMatchers } from '../../src/matchers/signatures.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { buildDivergence, buildStoppedRun, cancelSteps } from './build-run.ts'
import { failureOf } from './failure-of.ts'

/** What each matcher would find on the run, were it whole; and what it would not. */
const stopped = buildStoppedRun(buildDivergence(), {
  steps: cancelSteps.slice(0, 3),
  checkpoints: [{ name: 'order-found', state: {} }],
})

type Assertion = (run: ReplayedRun, isNot: boolean) => void

const assertThat: typeof expect = expect
const on = (run: ReplayedRun, isNot: boolean): RunMatchers<unknown> => (isNot ? assertThat(run).not : assertThat(run))

const assertions: readonly (readonly [matcher: string, holding: Assertion, failing: Assertion])[] = [
  [
    'toHaveCalledTools',
    (run, isNot) => on(run, isNot).toHaveCalledTools(['get_order']),
    (run, isNot) => on(run, isNot).toHaveCalledTools(['x']),
  ],
  ['toHaveCalledTool', (run, isNot) => on(run, isNot).toHaveCalledTool('get_order'), (run, isNot) => on(run, isNot).toHaveCalledTool('x')],
  [
    'toHaveCalledToolTimes',
    (run, isNot) => on(run, isNot).toHaveCalledToolTimes('get_order', 1),
    (run, isNot) => on(run, isNot).toHaveCalledToolTimes('get_order', 2),
  ],
  [
    'toHaveReachedCheckpoint',
    (run, isNot) => on(run, isNot).toHaveReachedCheckpoint('order-found'),
    (run, isNot) => on(run, isNot).toHaveReachedCheckpoint('x'),
  ],
  ['toHaveSideEffects', (run, isNot) => on(run, isNot).toHaveSideEffects([]), (run, isNot) => on(run, isNot).toHaveSideEffects(['x'])],
  [
    'toHaveNoRepeatedSideEffects',
    (run, isNot) => on(run, isNot).toHaveNoRepeatedSideEffects(),
    (run, isNot) => on(run, isNot).toHaveNoRepeatedSideEffects(),
  ],
  [
    'toHaveExecutedAsApproved',
    (run, isNot) => on(run, isNot).toHaveExecutedAsApproved('get_order', { approved: () => [] }),
    (run, isNot) => on(run, isNot).toHaveExecutedAsApproved('x'),
  ],
  ['toStayWithin', (run, isNot) => on(run, isNot).toStayWithin({ steps: 9 }), (run, isNot) => on(run, isNot).toStayWithin({ steps: 1 })],
]

it.each(assertions)('does not let %s pass on a run that was stopped, negated or not', (matcher, holding, failing) => {
  for (const assertion of [holding, failing]) {
    for (const isNot of [false, true]) {
      expect(failureOf(() => assertion(stopped, isNot))).toMatch(
        new RegExp(
          `^${matcher} cannot decide: the replay of "cancel-unshipped" was stopped, and a partial run proves nothing\\.\n\nFailed to replay`,
        ),
      )
    }
  }
})

it('says why the run was stopped', () => {
  expect(failureOf(() => expect(stopped).not.toHaveCalledTool('refund_order'))).toBe(
    `toHaveCalledTool cannot decide: the replay of "cancel-unshipped" was stopped, and a partial run proves nothing.

Failed to replay "cancel-unshipped": the call after step 3 diverged (unexpected call).

    1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})
    2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
    3  model     openai.chat (gpt-4.1-mini, 3 messages) → cancel_order({"id":"ord_1"})
>      tool      refund_order({"id":"ord_1"})

The agent made a call that the recorded run did not make.
    expected  step 4, cancel_order({"id":"ord_1"})
    received  refund_order({"id":"ord_1"})
    at        src/agent.ts:48:22

To give it an answer: replay('cancel-unshipped', agent, { answers: { refund_order: … } })
Or, if the agent is right to make it, record the run again and promote it.`,
  )
})

it('lets no asymmetric matcher match a run that was stopped', () => {
  const asymmetric = Reflect.get(expect, 'toHaveCalledTool') as (name: string) => unknown
  const inverted = Reflect.get(expect.not, 'toHaveCalledTool') as (name: string) => unknown
  expect({ run: stopped }).not.toEqual({ run: asymmetric('get_order') })
  expect({ run: stopped }).not.toEqual({ run: inverted('x') })
})

it('lets the two that ask about divergence tell', () => {
  expect(stopped).not.toReplayWithoutDivergence()
  expect(stopped).toDivergeAt(3, 'unexpected-call')
  expect(stopped).not.toDivergeAt(2)
})
