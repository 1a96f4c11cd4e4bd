import { expect } from 'vitest'
import { replay } from 'goldenrun/vitest'

/** Compiled, not run: what a test file may write, and what it may not. */
export async function assertions(agent: (input: { ticket: string }) => Promise<string>): Promise<void> {
  const run = await replay('cancel-unshipped', agent)
  expect(run).toReplayWithoutDivergence()
  expect(run).not.toDivergeAt(4, 'unexpected-call')
  expect(run).toHaveCalledTools(['a', { name: 'b', args: { id: expect.any(String) as unknown } }], { order: 'any', extra: true })
  expect.soft(run).toStayWithin({ steps: 4 })
  await expect(replay('cancel-unshipped', agent)).toReplayWithoutDivergence()
  await expect(replay('cancel-unshipped', agent)).resolves.not.toHaveCalledTool('refund_order')
  expect(run).toHaveExecutedAsApproved('b')
  expect(run).toHaveExecutedAsApproved('b', { approval: 'ask_human' })
  expect(run).toHaveExecutedAsApproved('b', { approved: ({ steps }) => steps.map(({ input, step }) => ({ args: input, step })) })
  // @ts-expect-error -- an approved call has arguments
  expect(run).toHaveExecutedAsApproved('b', { approved: () => [{ step: 1 }] })
  // @ts-expect-error -- there is no such order
  expect(run).toHaveCalledTools(['a'], { order: 'some' })
  // @ts-expect-error -- there is no such cause
  expect(run).toDivergeAt(4, 'weather')
  // @ts-expect-error -- there is no such limit
  expect(run).toStayWithin({ turns: 4 })
  // @ts-expect-error -- there is no such matcher
  expect(run).toReplay()
}
