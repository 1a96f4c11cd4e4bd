import { expect, it } from 'vitest'
import { logOf } from './debug-log.ts'

it('logs one area where one is named, and nothing unasked', async () => {
  const log = await logOf('tls, goldenrun:match')
  expect(log).toContain('goldenrun:match')
  expect(log).not.toMatch(/goldenrun:(record|conductor)/)
  expect(await logOf('')).not.toContain('goldenrun:')
})
