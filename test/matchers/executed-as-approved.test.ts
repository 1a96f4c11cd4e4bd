import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'
import { failureOf } from './failure-of.ts'

interface Refund {
  readonly order_id: string
  readonly amount: number
}

const lamp: Refund = { order_id: 'ord_1', amount: 4900 }
const chair: Refund = { order_id: 'ord_2', amount: 18900 }

const refundOrder = tool('refund_order', { effect: 'write' }, async (_args: Refund) => ({ status: 'booked' }))
/** A person who answers what the test says. */
const person = (answer: unknown, name = 'approval') => external(name, async (_asked: unknown, _more?: unknown) => answer)
const approve = person(true)

/** Records an agent, and replays it. */
async function runOf<Input = undefined>(agent: (input: Input) => unknown, input?: Input): Promise<ReplayedRun> {
  const { trace } = await recordRun(agent, { ...(input !== undefined && { input }), fails: true })
  return await replay(trace, agent)
}

/** A failure without the run's id, which differs from run to run. */
function failing(assertion: () => unknown): string {
  return failureOf(assertion).replaceAll(/"\d{8}-[^"]+"/g, '"run"')
}

it('holds if the approved arguments are those of the call, in whatever order their keys are', async () => {
  const run = await runOf(async () => {
    await approve({ tool: 'refund_order', args: lamp })
    await refundOrder({ amount: lamp.amount, order_id: lamp.order_id })
  })
  expect(run).toHaveExecutedAsApproved('refund_order')
  expect(failing(() => expect(run).not.toHaveExecutedAsApproved('refund_order'))).toBe(
    `Expected "run" not to execute refund_order as approved, but it did:
    step 2 executed refund_order({"amount":4900,"order_id":"ord_1"}), which was approved`,
  )
})

it.each<[form: string, ask: (answer: unknown) => Promise<unknown>]>([
  ['name and arguments in an object', (answer) => person(answer)({ name: 'refund_order', arguments: lamp })],
  ['arguments as a model writes them', (answer) => person(answer)({ toolName: 'refund_order', input: JSON.stringify(lamp) })],
  ['name and arguments as two arguments', (answer) => person(answer)('refund_order', lamp)],
  ['only the arguments', (answer) => person(answer)(lamp)],
  ['a tool that asks', (answer) => tool('approval', {}, async (_args: unknown) => answer)({ tool: 'refund_order', args: lamp })],
])('reads what a person is asked: %s', async (_form, ask) => {
  const agent = (answer: unknown, made = lamp) =>
    runOf(async () => {
      await ask(answer)
      await refundOrder(made)
    })
  expect(await agent(true)).toHaveExecutedAsApproved('refund_order')
  expect(await agent({ approved: true })).toHaveExecutedAsApproved('refund_order')
  expect(await agent(false)).not.toHaveExecutedAsApproved('refund_order')
  expect(await agent({ approved: false })).not.toHaveExecutedAsApproved('refund_order')
  expect(await agent(true, chair)).not.toHaveExecutedAsApproved('refund_order')
})

it('takes the arguments that a person put in place of those asked', async () => {
  const agent = (made: Refund) =>
    runOf(async () => {
      await person({ approved: true, args: { ...lamp, amount: 2000 } })({ tool: 'refund_order', args: lamp })
      await refundOrder(made)
    })
  expect(await agent({ ...lamp, amount: 2000 })).toHaveExecutedAsApproved('refund_order')
  const run = await agent(lamp)
  expect(failing(() => expect(run).toHaveExecutedAsApproved('refund_order'))).toBe(
    `Expected "run" to execute refund_order as approved.
    step 2 executed refund_order({"order_id":"ord_1","amount":4900}), but step 1 approved different arguments:
    args.amount
      approved  2000
      executed  4900`,
  )
})

it('finds the checkpoint that says what was approved, and one that says it was not', async () => {
  const agent = (state: object) =>
    runOf(async () => {
      checkpoint('reviewed', state)
      await refundOrder(lamp)
    })
  expect(await agent({ tool: 'refund_order', args: lamp })).toHaveExecutedAsApproved('refund_order', { approval: 'reviewed' })
  expect(await agent(lamp)).toHaveExecutedAsApproved('refund_order', { approval: 'reviewed' })
  const refused = await agent({ tool: 'refund_order', args: lamp, approved: false })
  expect(failing(() => expect(refused).toHaveExecutedAsApproved('refund_order', { approval: 'reviewed' }))).toBe(
    `Expected "run" to execute refund_order as approved.
    step 1 executed refund_order({"order_id":"ord_1","amount":4900}), which checkpoint "reviewed" refused`,
  )
})

it('is red for a call without approval, and says how approvals may be named', async () => {
  const run = await runOf(async () => {
    await person(true, 'ask_human')({ tool: 'refund_order', args: lamp })
    await refundOrder(lamp)
  })
  expect(run).toHaveExecutedAsApproved('refund_order', { approval: 'ask_human' })
  expect(failing(() => expect(run).toHaveExecutedAsApproved('refund_order'))).toBe(
    `Expected "run" to execute refund_order as approved.
    step 2 executed refund_order({"order_id":"ord_1","amount":4900}) without approval
No tool, external or checkpoint named "approval" is about refund_order. To name the one that is: toHaveExecutedAsApproved('refund_order', { approval: … })`,
  )
})

it('is red for a second call on one approval, as a retry makes it', async () => {
  const run = await runOf(async () => {
    await approve({ tool: 'refund_order', args: lamp })
    await refundOrder(lamp)
    await refundOrder(lamp)
  })
  expect(failing(() => expect(run).toHaveExecutedAsApproved('refund_order'))).toBe(
    `Expected "run" to execute refund_order as approved.
    step 3 executed refund_order({"order_id":"ord_1","amount":4900}) again: step 2 had used the approval of step 1`,
  )
})

it('holds for two calls on two approvals', async () => {
  const run = await runOf(async () => {
    await approve({ tool: 'refund_order', args: lamp })
    await approve({ tool: 'refund_order', args: lamp })
    await refundOrder(lamp)
    await refundOrder(lamp)
  })
  expect(run).toHaveExecutedAsApproved('refund_order')
})

it('is red for an approval that came after the call, even within the same millisecond', async () => {
  const run = await runOf(async () => {
    await Promise.all([approve({ tool: 'refund_order', args: lamp }), refundOrder(lamp)])
  })
  expect(failing(() => expect(run).toHaveExecutedAsApproved('refund_order'))).toBe(
    `Expected "run" to execute refund_order as approved.
    step 2 executed refund_order({"order_id":"ord_1","amount":4900}), which step 1 approved only afterwards`,
  )
})

it('is red for a call that a person refused, or never answered', async () => {
  const refused = await runOf(async () => {
    await person(false)({ tool: 'refund_order', args: lamp })
    await refundOrder(lamp)
  })
  expect(failing(() => expect(refused).toHaveExecutedAsApproved('refund_order'))).toBe(
    `Expected "run" to execute refund_order as approved.
    step 2 executed refund_order({"order_id":"ord_1","amount":4900}), which step 1 refused`,
  )
  const failed = await runOf(async () => {
    const ask = external('approval', async (_args: unknown) => Promise.reject(new Error('nobody is there')))
    await ask({ tool: 'refund_order', args: lamp }).catch(() => undefined)
    await refundOrder(lamp)
  })
  expect(failed).not.toHaveExecutedAsApproved('refund_order')
})

it('holds if every call was refused and none was made', async () => {
  const run = await runOf(async () => {
    await person(false)({ tool: 'refund_order', args: lamp })
  })
  expect(run).toHaveExecutedAsApproved('refund_order')
  expect(failing(() => expect(run).not.toHaveExecutedAsApproved('refund_order'))).toBe(
    `Expected "run" not to execute refund_order as approved, but it did:
    step 1 refused refund_order({"order_id":"ord_1","amount":4900}), which was not executed`,
  )
})

it('is red for an approved call that was never made', async () => {
  const run = await runOf(async () => {
    await approve({ tool: 'refund_order', args: chair })
  })
  expect(failing(() => expect(run).toHaveExecutedAsApproved('refund_order'))).toBe(
    `Expected "run" to execute refund_order as approved.
    step 1 approved refund_order({"order_id":"ord_2","amount":18900}), which was never executed`,
  )
})

it('is red for a tool that was neither approved nor executed, so that a wrong name is no green test', async () => {
  const run = await runOf(async () => {
    await approve({ tool: 'cancel_order', args: { order_id: 'ord_1' } })
    await tool('cancel_order', {}, async (_args: { order_id: string }) => 'done')({ order_id: 'ord_1' })
  })
  expect(run).toHaveExecutedAsApproved('cancel_order')
  expect(failing(() => expect(run).toHaveExecutedAsApproved('refund_ordr'))).toBe(
    'Expected "run" to execute refund_ordr as approved, but it was neither approved nor executed.',
  )
})

it('does not take two redacted values for one', async () => {
  const sendMail = tool('send_mail', { effect: 'write' }, async (_args: { to: string }) => 'sent')
  const agent = (to: string) =>
    runOf(async () => {
      await approve({ tool: 'send_mail', args: { to: 'jane@customer.com' } })
      await sendMail({ to })
    })
  expect(await agent('jane@customer.com')).toHaveExecutedAsApproved('send_mail')
  expect(await agent('joe@customer.com')).not.toHaveExecutedAsApproved('send_mail')
})

it('takes approvals from before the run by a function of the run', async () => {
  const agent = async ({ approved }: { readonly approved: readonly Refund[] }) => {
    for (const refund of approved) await refundOrder(refund)
  }
  const approved = ({ trace }: ReplayedRun) => (trace.header.input as { approved: Refund[] }).approved.map((args) => ({ args }))
  const run = await runOf(agent, { approved: [lamp, chair] })
  expect(run).toHaveExecutedAsApproved('refund_order', { approved })
  expect(failing(() => expect(run).toHaveExecutedAsApproved('refund_order', { approved: () => [{ args: lamp }] }))).toBe(
    `Expected "run" to execute refund_order as approved.
    step 2 executed refund_order({"order_id":"ord_2","amount":18900}) without approval`,
  )
  const more = (): { args: unknown }[] => [{ args: lamp }, { args: chair }, { args: { ...lamp, amount: 1 } }]
  expect(failing(() => expect(run).toHaveExecutedAsApproved('refund_order', { approved: more }))).toBe(
    `Expected "run" to execute refund_order as approved.
    the run's input approved refund_order({"order_id":"ord_1","amount":1}), which was never executed`,
  )
})

it('takes a function that reads the answers of a person, with their steps', async () => {
  const run = await runOf(async () => {
    await person('go ahead')({ refund: lamp })
    await refundOrder(lamp)
    await person('go ahead')({ refund: chair })
  })
  const approved = ({ steps }: ReplayedRun) =>
    steps.flatMap(({ name, input, output, step }) =>
      name === 'approval' && output === 'go ahead' ? [{ args: (input as { refund: Refund }).refund, step }] : [],
    )
  expect(failing(() => expect(run).toHaveExecutedAsApproved('refund_order', { approved }))).toBe(
    `Expected "run" to execute refund_order as approved.
    step 3 approved refund_order({"order_id":"ord_2","amount":18900}), which was never executed`,
  )
})

it('refuses an answer that it cannot read, and options that it does not know', async () => {
  const run = await runOf(async () => {
    await person('go ahead')({ tool: 'refund_order', args: lamp })
    await refundOrder(lamp)
  })
  const options = (given: object) => failing(() => expect(run).not.toHaveExecutedAsApproved('refund_order', given))
  expect(options({})).toBe(
    'toHaveExecutedAsApproved: the option "approval" names approval, whose answer at step 1 is neither true or false nor ' +
      '{ approved: true } or { approved: false }: "go ahead". Read its answers with approved: (run) => [{ args, step }].',
  )
  expect(options({ approval: '' })).toBe('toHaveExecutedAsApproved: the option "approval" has to be a name, got "".')
  expect(options({ by: 'x' })).toBe('toHaveExecutedAsApproved: the option "by" is not known. It takes: approval, approved.')
  expect(options({ approved: [] })).toBe('toHaveExecutedAsApproved: the option "approved" has to be a function of the run, got [].')
  expect(options({ approved: () => [lamp] })).toBe(
    'toHaveExecutedAsApproved: the option "approved" has to return a list of { args, step? }, got {"order_id":"ord_1","amount":4900}.',
  )
  expect(options({ approved: () => [{ args: lamp, step: 9 }] })).toBe(
    'toHaveExecutedAsApproved: the option "approved" names step 9, which the run does not have.',
  )
  expect(options({ approval: 'x', approved: () => [] })).toBe(
    'toHaveExecutedAsApproved: the option "approved" replaces "approval". Give one of the two.',
  )
  expect(failing(() => expect(run).toHaveExecutedAsApproved(''))).toBe(
    'toHaveExecutedAsApproved: the option "name" has to be a name, got "".',
  )
})
