import { expect, it } from 'vitest'
import { compareInputs, compareValues } from '../../src/divergence/compare-inputs.ts'
import type { Divergence } from '../../src/divergence/divergence.ts'
import { createReport, renderReport, type ReportOptions } from '../../src/divergence/create-report.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import type { Golden } from '../../src/trace/run-row.ts'
import { buildDivergence, buildRun, buildStoppedRun, cancelSteps, incidentSteps, modelStep, toolStep } from '../matchers/build-run.ts'

const golden = {
  description: 'Cancels an order that has not shipped.',
  expectedOutcome: 'The order is cancelled, and nothing is refunded.',
}
const incident: Partial<Golden> = {
  name: 'refund-twice',
  description: 'The payment service answered late, and the refund was booked twice.',
  expectedOutcome: 'One refund.',
  expect: { replay: 'departs', at: 5, checks: [{ matcher: 'toHaveNoRepeatedSideEffects' }] },
}
/** Of the verdict on an incident. */
const about = {
  trigger: 4,
  at: 5,
  drift: [],
  departure: buildDivergence({ step: 4, name: 'find_refund', received: { order_id: 'ord_1001' } }),
}
const render = (run: ReplayedRun, options: Partial<ReportOptions> = {}): string =>
  `\n${renderReport(run, { color: false, width: 110, ...options })}\n`

it('tells of a call that the trace does not have', () => {
  const recorded = [...cancelSteps, toolStep(6, 'refund_order', { id: 'ord_7' }, { effect: 'write' })]
  const nearest = [
    {
      step: 6,
      name: 'refund_order',
      differences: compareInputs('tool', 'refund_order', { id: 'ord_7' }, { id: 'ord_1' }),
      agrees: ['args.note'],
    },
    { step: 4, name: 'cancel_order', differences: [], agrees: ['args.id'] },
  ]
  expect(render(buildStoppedRun(buildDivergence({ nearest }), { golden, recorded, steps: cancelSteps.slice(0, 3) })))
    .toMatchInlineSnapshot(`
      "
      Failed to replay "cancel-unshipped": the call after step 3 diverged (unexpected call).
        Cancels an order that has not shipped.
        Expected outcome: The order is cancelled, and nothing is refunded.

          1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})
          2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
          3  model     openai.chat (gpt-4.1-mini, 3 messages) → cancel_order({"id":"ord_1"})
      >      tool      refund_order({"id":"ord_1"})

      The agent made a call that the recorded run did not make.
          expected  step 4, cancel_order({"id":"ord_1"})
          received  refund_order({"id":"ord_1"})
          nearest   step 6, refund_order({"id":"ord_7"}) (differs in args.id; same args.note)
                    step 4, cancel_order({"id":"ord_1"}) (different name, same input)
          at        src/agent.ts:48:22

      To give it an answer: replay('cancel-unshipped', agent, { answers: { refund_order: … } })
      Or, if the agent is right to make it, record the run again and promote it.
      "
    `)
})

it('tells of a call that the trace does not have before any that it has, or after the last', () => {
  const beforeAll = buildDivergence({ step: 0, site: { file: 'a.ts', line: 1, column: 2 } })
  const afterAll = buildDivergence({
    step: 5,
    boundary: 'http',
    name: 'api.stripe.com',
    received: { method: 'POST', url: 'https://api.stripe.com/v1/refunds', headers: [], json: { amount: 20 } },
  })
  expect(render(buildStoppedRun(beforeAll, { steps: [] }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": the call before the first step diverged (unexpected call).

    >      tool      refund_order({"id":"ord_1"})

    The agent made a call that the recorded run did not make.
        expected  step 1, openai.chat (gpt-4.1-mini, 1 message)
        received  refund_order({"id":"ord_1"})
        at        a.ts:1:2

    To give it an answer: replay('cancel-unshipped', agent, { answers: { refund_order: … } })
    Or, if the agent is right to make it, record the run again and promote it.
    "
  `)
  expect(render(buildStoppedRun(afterAll))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": the call after step 5 diverged (unexpected call).

        2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
        3  model     openai.chat (gpt-4.1-mini, 3 messages) → cancel_order({"id":"ord_1"})
        4  tool      cancel_order({"id":"ord_1"}) → {"cancelled":true}
        5  model     openai.chat (gpt-4.1-mini, 5 messages) → "Cancelled."
    >      http      POST https://api.stripe.com/v1/refunds {"amount":20}

    The agent made a call that the recorded run did not make.
        expected  no further call
        received  POST https://api.stripe.com/v1/refunds {"amount":20}
        at        src/agent.ts:48:22

    To give it an answer: replay('cancel-unshipped', agent, { answers: { 'api.stripe.com': … } })
    Or, if the agent is right to make it, record the run again and promote it.
    "
  `)
})

it('tells of a changed word in a system prompt of 100 kB', () => {
  const prompt = (days: string): string =>
    `${'You help the customers of a shop. '.repeat(1500)}You refund within ${days} days of delivery.\n${'Be polite to them. '.repeat(2500)}`
  const [recorded, live] = ['thirty', 'sixty'].map((days) => modelStep(1, [{ role: 'system', content: prompt(days) }], {}).input)
  const differences = compareInputs('model', 'openai.chat', recorded, live)
  const fields = { cause: 'input', step: 1, boundary: 'model', name: 'openai.chat', parts: ['system-prompt'], differences } as const
  expect(render(buildStoppedRun(buildDivergence(fields), { golden }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": step 1 diverged (input: system prompt).
      Cancels an order that has not shipped.
      Expected outcome: The order is cancelled, and nothing is refunded.

    >   1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})

    The agent called the model with a different system prompt.
        messages[0].content
          expected  …the customers of a shop. You refund within thirty days of delivery.\\nBe polite to them. Be p…
          received  …the customers of a shop. You refund within sixty days of delivery.\\nBe polite to them. Be po…
        at        src/agent.ts:48:22

    To accept the new input, record the run again and promote it.
    "
  `)
})

it('tells of changed arguments, and of no more fields than fit on a screen', () => {
  const fields = (differences: Divergence['differences']): Partial<Divergence> =>
    ({ cause: 'input', step: 4, boundary: 'tool', name: 'cancel_order', parts: ['args'], differences }) as const
  const few = compareInputs(
    'tool',
    'cancel_order',
    { id: 'ord_1', by: 'agent' },
    { id: 'ord_2', note: { $: { date: '2026-01-31T00:00:00.000Z' } } },
  )
  const many = compareInputs(
    'tool',
    'f',
    Array.from({ length: 60 }, (_, index) => index),
    Array.from({ length: 60 }, (_, index) => -1 - index),
  )
  expect(render(buildStoppedRun(buildDivergence(fields(few)), { golden }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": step 4 diverged (input: args).
      Cancels an order that has not shipped.
      Expected outcome: The order is cancelled, and nothing is refunded.

        1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})
        2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
        3  model     openai.chat (gpt-4.1-mini, 3 messages) → cancel_order({"id":"ord_1"})
    >   4  tool      cancel_order({"id":"ord_1"}) → {"cancelled":true}

    The agent made this call with different arguments.
        args.id
          expected  "ord_1"
          received  "ord_2"
        args.by
          expected  "agent"
          received  nothing
        args.note
          expected  nothing
          received  Date 2026-01-31T00:00:00.000Z
        at        src/agent.ts:48:22

    To accept the new input, record the run again and promote it.
    "
  `)
  expect(render(buildStoppedRun(buildDivergence(fields(many)), { golden: null }))).toMatchInlineSnapshot(`
    "
    Failed to replay "20260131-080000-1a2b3c": step 4 diverged (input: args).

        1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})
        2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
        3  model     openai.chat (gpt-4.1-mini, 3 messages) → cancel_order({"id":"ord_1"})
    >   4  tool      cancel_order({"id":"ord_1"}) → {"cancelled":true}

    The agent made this call with different arguments.
        args[0]
          expected  0
          received  -1
        args[1]
          expected  1
          received  -2
        args[2]
          expected  2
          received  -3
        args[3]
          expected  3
          received  -4
        and 56 more fields: args[4], args[5], args[6], args[7], args[8], args[9], args[10], args[11], args[12], a…
        at        src/agent.ts:48:22

    To accept the new input, record the run again.
    "
  `)
})

it('tells of a call that was not made, and what follows from it', () => {
  const divergences = [
    buildDivergence({ cause: 'missing-call', step: 4, boundary: 'tool', name: 'cancel_order' }),
    buildDivergence({ cause: 'input', step: 5, parts: ['messages'], consequence: true }),
    buildDivergence({ cause: 'checkpoint', step: 5, position: 'after', name: 'done', consequence: true }),
    buildDivergence({ cause: 'outcome', step: 5, position: 'after', consequence: true }),
    buildDivergence({ cause: 'unexpected-call', step: 5, consequence: true }),
  ]
  expect(render(buildRun({ golden, divergences }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": step 4 diverged (missing call).
      Cancels an order that has not shipped.
      Expected outcome: The order is cancelled, and nothing is refunded.

        1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})
        2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
        3  model     openai.chat (gpt-4.1-mini, 3 messages) → cancel_order({"id":"ord_1"})
    >   4  tool      cancel_order({"id":"ord_1"}) → {"cancelled":true}

    The recorded run made this call, but the agent did not.
        expected  cancel_order({"id":"ord_1"})
        received  no such call
    and 4 more: step 5 (input: messages), checkpoint "done" after step 5, the outcome, …

    If the agent no longer has to make it, record the run again and promote it.
    "
  `)
})

it('tells of another order', () => {
  const fields = { cause: 'order', step: 4, before: 2, boundary: 'tool', name: 'cancel_order' } as const
  expect(render(buildRun({ golden, divergences: [buildDivergence(fields)] }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": step 4 diverged (order).
      Cancels an order that has not shipped.
      Expected outcome: The order is cancelled, and nothing is refunded.

        1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})
        2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
        3  model     openai.chat (gpt-4.1-mini, 3 messages) → cancel_order({"id":"ord_1"})
    >   4  tool      cancel_order({"id":"ord_1"}) → {"cancelled":true}

    Step 4 came too early: the recorded run made it after step 2, but the agent did not.
        expected  step 2, get_order({"id":"ord_1"}), before step 4, cancel_order({"id":"ord_1"})
        received  step 4 before step 2 had finished
        at        src/agent.ts:48:22

    If the new order is right, record the run again and promote it.
    "
  `)
})

it('tells of another outcome, of an error in its place, and of no end', () => {
  const expected = { output: { reply: 'Cancelled.' } }
  const outcome = (received: object): Divergence =>
    buildDivergence({
      cause: 'outcome',
      step: 5,
      position: 'after',
      expected,
      received,
      differences: 'never' in received ? [] : compareValues(expected, received),
    })
  expect(render(buildRun({ golden, divergences: [outcome({ output: { reply: 'Done.' } })] }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": the outcome diverged.
      Cancels an order that has not shipped.
      Expected outcome: The order is cancelled, and nothing is refunded.

        2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
        3  model     openai.chat (gpt-4.1-mini, 3 messages) → cancel_order({"id":"ord_1"})
        4  tool      cancel_order({"id":"ord_1"}) → {"cancelled":true}
        5  model     openai.chat (gpt-4.1-mini, 5 messages) → "Cancelled."
    >      end

    The agent ended differently from the recorded run.
        output.reply
          expected  "Cancelled."
          received  "Done."

    To accept the new outcome, record the run again and promote it.
    "
  `)
  const threw = outcome({ error: { name: 'TypeError', message: 'fetch failed' } })
  expect(render(buildRun({ divergences: [threw] }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": the outcome diverged.

        2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
        3  model     openai.chat (gpt-4.1-mini, 3 messages) → cancel_order({"id":"ord_1"})
        4  tool      cancel_order({"id":"ord_1"}) → {"cancelled":true}
        5  model     openai.chat (gpt-4.1-mini, 5 messages) → "Cancelled."
    >      end

    The agent ended differently from the recorded run.
        expected  returned {"reply":"Cancelled."}
        received  threw TypeError: fetch failed

    To accept the new outcome, record the run again and promote it.
    "
  `)
  expect(render(buildRun({ divergences: [outcome({ never: 'settled' })] }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": the outcome diverged.

        2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
        3  model     openai.chat (gpt-4.1-mini, 3 messages) → cancel_order({"id":"ord_1"})
        4  tool      cancel_order({"id":"ord_1"}) → {"cancelled":true}
        5  model     openai.chat (gpt-4.1-mini, 5 messages) → "Cancelled."
    >      end

    The agent is waiting for something that never happens, so it does not end.
        expected  returned {"reply":"Cancelled."}
        received  no end

    Correct what the agent waits for: a run that does not end cannot be accepted into a golden.
    "
  `)
})

it('tells of a checkpoint with another state, one more and one less', () => {
  const [expected, received] = [{ order: { status: 'packed' } }, { order: { status: 'sent' } }]
  const checkpoint = (fields: Partial<Divergence>): ReplayedRun =>
    buildRun({
      divergences: [buildDivergence({ cause: 'checkpoint', step: 2, position: 'after', name: 'order-found', ...fields })],
    })
  expect(render(checkpoint({ expected, received, differences: compareValues(expected, received) }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": checkpoint "order-found" after step 2 diverged.

        1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})
        2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
    >      checkpoint  order-found

    The agent reached this checkpoint with a different state.
        order.status
          expected  "packed"
          received  "sent"

    To accept the new checkpoint, record the run again and promote it.
    "
  `)
  expect(render(checkpoint({ received }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": checkpoint "order-found" after step 2 diverged.

        1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})
        2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
    >      checkpoint  order-found

    The agent reached a checkpoint that the recorded run did not reach.
        expected  nothing
        received  {"order":{"status":"sent"}}

    To accept the new checkpoint, record the run again and promote it.
    "
  `)
  expect(render(checkpoint({ expected }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": checkpoint "order-found" after step 2 diverged.

        1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})
        2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
    >      checkpoint  order-found

    The recorded run reached this checkpoint, but the agent did not.
        expected  {"order":{"status":"packed"}}
        received  nothing

    To accept the new checkpoint, record the run again and promote it.
    "
  `)
})

it('advises a rebase only where nothing is known that a rebase refuses', () => {
  const commands = { exec: 'npx', rebase: 'vitest -u', record: 'GOLDENRUN=record vitest' }
  const adviceOn = (...fields: Partial<Divergence>[]): unknown =>
    createReport({ ...buildRun({ divergences: fields.map(buildDivergence) }), commands }).advice.map(({ words, command }) =>
      command === undefined ? words : `${words} ${command}`,
    )
  const changed = { cause: 'input', step: 1, parts: ['messages'] } as const
  const missing = { cause: 'missing-call', step: 2 } as const
  const endless = { cause: 'outcome', step: 5, position: 'after', received: { never: 'settled' } } as const
  expect(adviceOn(changed)).toEqual(['To accept the new input: vitest -u'])
  expect(adviceOn(changed, missing)).toEqual(['To accept the new input, record the run again: GOLDENRUN=record vitest'])
  expect(adviceOn({ ...changed, parts: ['model', 'messages'] })).toEqual([
    'To accept the new input, record the run again: GOLDENRUN=record vitest',
  ])
  expect(adviceOn({ ...changed, parts: ['environment'] })).toEqual([
    'Until the agent reads the clock inside the run, the date cannot be accepted, and recording again does not help.',
  ])
  for (const found of [[endless], [changed, endless]])
    expect(adviceOn(...found)).toEqual(['Correct what the agent waits for: a run that does not end cannot be accepted into a golden.'])
})

it('tells of another model', () => {
  const differences = [{ path: 'model', part: 'model', expected: 'gpt-4.1-mini', received: 'gpt-5' }] as const
  const fields = { cause: 'model-drift', step: 1, boundary: 'model', name: 'openai.chat', parts: ['model'], differences } as const
  expect(render(buildStoppedRun(buildDivergence(fields), { golden }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": step 1 diverged (model drift).
      Cancels an order that has not shipped.
      Expected outcome: The order is cancelled, and nothing is refunded.

    >   1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})

    The agent called a different model.
        model
          expected  "gpt-4.1-mini"
          received  "gpt-5"
        at        src/agent.ts:48:22

    To allow the new model:
      replay('cancel-unshipped', agent, { allowModelDrift: [{ from: 'gpt-4.1-mini', to: 'gpt-5' }] })
    Or, if its answers matter, record the run again and promote it.
    "
  `)
})

it('tells of a contact that no boundary could answer', () => {
  const fields = { cause: 'unrecorded-contact', step: 2, position: 'after', name: 'net db.example.com:5432' } as const
  expect(render(buildStoppedRun(buildDivergence(fields), { golden }))).toMatchInlineSnapshot(`
    "
    Failed to replay "cancel-unshipped": a contact after step 2 diverged (unrecorded contact).
      Cancels an order that has not shipped.
      Expected outcome: The order is cancelled, and nothing is refunded.

        1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})
        2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}
    >      contact   net db.example.com:5432

    The agent contacted the outside world in a way that is not recorded, so the trace has no answer.
        received  net db.example.com:5432
        at        src/agent.ts:48:22

    If it is part of the run, make it a step, external('name', fn), and record the run again.
    If it may stay live, declare it at the call: live('reason', fn)
    "
  `)
})

it('tells of two replays that differ', () => {
  expect(render(buildRun({ divergences: [buildDivergence({ cause: 'nondeterminism', step: 2, expected: 'a', received: 'b' })] })))
    .toMatchInlineSnapshot(`
      "
      Failed to replay "cancel-unshipped": step 2 diverged (nondeterminism).

          1  model     openai.chat (gpt-4.1-mini, 1 message) → get_order({"id":"ord_1"})
      >   2  tool      get_order({"id":"ord_1"}) → {"status":"packed"}

      Two replays of the same trace differ.
          first     "a"
          later     "b"
          at        src/agent.ts:48:22

      To see the recorded run: npx goldenrun show cancel-unshipped
      "
    `)
})

it.each([
  ['repeats the call as it was', {}],
  ['repeats the call with another argument', { amount: 19 }],
])('tells that the agent still repeats the incident: it %s', (_how, changed) => {
  const recorded = { order_id: 'ord_1001', amount: 20 }
  const received = { ...recorded, ...changed }
  const nearest = [{ step: 5, name: 'refund_order', differences: compareInputs('tool', 'refund_order', recorded, received), agrees: [] }]
  const divergence = buildDivergence({ step: 4, name: 'refund_order', received, nearest })
  const run = buildStoppedRun(divergence, { golden: incident, recorded: incidentSteps })
  expect(render(run, { incident: { ...about, word: 'repeated', divergence } })).toMatchSnapshot()
})

it.each([
  ['the trigger was not reached', { reason: 'trigger' }],
  ['a write before the trigger was left out', { reason: 'write-before', steps: [2] }],
  ['nothing checks what the agent does instead', { reason: 'unchecked' }],
  ['the trace has no such step', { reason: 'unknown-step' }],
] as const)('tells why an incident was not exercised: %s', (_why, reason) => {
  const run = buildRun({ golden: incident, recorded: incidentSteps })
  expect(render(run, { incident: { ...about, word: 'not exercised', ...reason } })).toMatchSnapshot()
})

it('tells that a call of the agent has no answer in the golden of an incident', () => {
  const divergence = buildDivergence({ step: 4, name: 'find_refund', received: { order_id: 'ord_1001' } })
  const run = buildStoppedRun(divergence, { golden: incident, recorded: incidentSteps, steps: incidentSteps.slice(0, 4) })
  expect(render(run, { incident: { ...about, word: 'not exercised', reason: 'unanswered', divergence } })).toMatchSnapshot()
})

it('tells that only the model can say whether a prompt is the fix', () => {
  const divergence = buildDivergence({ step: 4, boundary: 'model', name: 'openai.chat', received: {} })
  const run = buildStoppedRun(divergence, { golden: incident, recorded: incidentSteps, steps: incidentSteps.slice(0, 4) })
  const report = render(run, { incident: { ...about, word: 'not exercised', reason: 'unanswered', divergence } })
  expect(report).toContain('If the fix is in the prompt, no recorded answer can tell whether it works')
})

it.each([
  [
    'does not pass a check',
    { reason: 'check', check: { call: 'toHaveCalledTool("find_refund")', message: 'Expected it to call find_refund.' } },
  ],
  ['throws', { reason: 'error', error: new TypeError('order is undefined') }],
  [
    'makes a write that is not allowed',
    { reason: 'write', divergence: buildDivergence({ step: 4, name: 'close_order', received: { order_id: 'ord_1001' } }) },
  ],
] as const)('tells that the agent departs from an incident and %s', (_what, failure) => {
  const run = buildRun({ golden: incident, recorded: incidentSteps, steps: incidentSteps.slice(0, 4) })
  expect(render(run, { incident: { ...about, word: 'failed', failure } })).toMatchSnapshot()
})

it('tells that the verdict on an incident depends on chance', () => {
  const run = buildRun({ golden: incident, recorded: incidentSteps })
  expect(render(run, { incident: { ...about, word: 'nondeterminism', words: ['held', 'repeated'] } })).toMatchSnapshot()
})

it('cuts every line to the width but the headline and commands to copy', () => {
  const recorded = cancelSteps.map((step) =>
    step.boundary === 'tool' ? { ...step, input: { text: 'long '.repeat(100) }, output: { text: 'long '.repeat(100) } } : step,
  )
  const received = { text: 'other '.repeat(200) }
  const run = buildStoppedRun(buildDivergence({ step: 5, received }), { golden: { description: 'A long tale. '.repeat(20) }, recorded })
  const [, , ...lines] = render(run, { width: 80 }).split('\n')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  expect(lines.filter((line) => line.length === 80)).not.toEqual([])
})

it('colours nothing when it is not to, and does when it is', () => {
  const run = buildStoppedRun()
  expect(render(run)).not.toContain('\u001b')
  expect(render(run, { color: true })).toContain('received  \u001b[31mrefund_order({"id":"ord_1"})\u001b[39m')
})

it('shows control characters of what was recorded, and does not obey them', () => {
  const differences = compareValues('a'.repeat(200), `${'a'.repeat(200)}\u001b[2J\r`)
  const run = buildRun({ divergences: [buildDivergence({ cause: 'outcome', position: 'after', differences })] })
  expect(render(run)).not.toContain('\u001b')
  expect(render(run)).toContain(String.raw`\u001b[2J\r`)
})

it('says so where nothing differs', () => {
  expect(renderReport(buildRun(), { color: false, width: 80 })).toBe('Replayed "cancel-unshipped" without divergence.')
})
