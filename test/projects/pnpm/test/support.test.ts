import { replay } from 'goldenrun/vitest'
import { expect, test } from 'vitest'
import { supportAgent } from '../src/agent.ts'

test('cancels an order that has not shipped', async () => {
  const run = await replay('cancel-unshipped', supportAgent)
  expect(run).toReplayWithoutDivergence()
  expect(run).toHaveCalledTools(['get_order', 'cancel_order'])
  expect(run).toHaveReachedCheckpoint('tool-called', { result: { status: 'cancelled' } })
})

test('cancels nothing that is not there', async () => {
  await expect(replay('unknown-order', supportAgent)).resolves.not.toHaveCalledTool('cancel_order')
})
