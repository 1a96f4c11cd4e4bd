import { expect, test } from 'vitest'
import { describeGolden, replay } from 'goldenrun/vitest'
import { refundAgent } from './agent.js'

// A test of every golden that there is, and will be.
describeGolden('*', refundAgent, (golden, run) => {
  test('is the same run again', async () => {
    await expect(run).toReplayWithoutDivergence()
    await expect(run).toHaveNoRepeatedSideEffects()
    await expect(run).toStayWithin({ steps: 10, toolCalls: 2 })
  })

  test('does what was approved, and nothing else', async () => {
    await expect(run).toHaveExecutedAsApproved('refund_order')
  })
})

test('refunds nothing that was refused', async () => {
  expect(await replay('refund-refused', refundAgent)).toHaveSideEffects([])
})
