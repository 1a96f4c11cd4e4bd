import { expect, test } from '@jest/globals'
import { describeGolden, replay } from 'goldenrun/jest'
import { supportAgent } from '../src/agent.ts'

test('cancels an order that has not shipped', async () => {
  const run = await replay('cancel-unshipped', supportAgent)
  expect(run).toReplayWithoutDivergence()
  expect(run).toHaveCalledTools(['get_order', 'cancel_order'])
  expect(run).toHaveReachedCheckpoint('tool-called', { result: { status: 'cancelled' } })
  expect(run.toolCalls).toMatchInlineSnapshot(`
get_order({"order_id":"ord_2"}) → {"id":"ord_2","item":"Office chair","status":"packed"}
cancel_order({"order_id":"ord_2"}) → {"id":"ord_2","item":"Office chair","status":"cancelled"}
`)
})

test.concurrent('cancels nothing that is not there', async () => {
  await expect(replay('unknown-order', supportAgent)).resolves.not.toHaveCalledTool('cancel_order')
  await expect(replay('unknown-order', supportAgent)).toReplayWithoutDivergence()
})

test('tells where an order is', async () => {
  expect(await replay('where-is-it', supportAgent)).toReplayWithoutDivergence()
})

describeGolden('*-unshipped', supportAgent, (golden, run) => {
  test('is the golden of a ticket', async () => {
    expect(golden.input.ticket).toBe('Please cancel ord_2.')
    expect((await run).outcome).toStrictEqual({
      status: 'returned',
      output: { reply: 'Your office chair is cancelled, and you are not charged.' },
    })
  })
})
