import { expect, it } from 'vitest'
import { logOf } from './debug-log.ts'

// One area alone: debug.slow.test.ts.
it('logs decisions of all areas, and no value', async () => {
  const log = await logOf('goldenrun')
  expect(log).toMatch(/goldenrun:record \d+: run \S+ is kept on /)
  expect(log).toMatch(/goldenrun:record \d+: run \S+: redacted one email/)
  expect(log).toMatch(/goldenrun:record \d+: run \S+: wrote call of step 1 \(http 127\.0\.0\.1:\d+\)/)
  expect(log).toMatch(/goldenrun:match \d+: call 1 \(http 127\.0\.0\.1:\d+\) is step 1: equal input/)
  expect(log).toMatch(/goldenrun:match \d+: call 1 \(http 127\.0\.0\.1:\d+\) equals no recorded input; due: 1; input at body\.id/)
  expect(log).toMatch(/goldenrun:conductor \d+: tick 1 is released: step 1 head/)
  expect(log).not.toContain('jane.roe')
  expect(log).not.toContain('ord_')
})
