import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { external } from '../../../src/run/external.ts'
import { recordRun } from '../../support/record-run.ts'

const look = external('look', async (order: string) => `${order} is late`)

it('goes on behind a timer that throws, as Node does', async () => {
  const recorded = await recordRun(async () => await look('ord_1'))
  const caught: unknown[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error: Error) => caught.push(error.message))
  try {
    const run = await replay(recorded.trace, async () => {
      const found = await look('ord_1')
      setTimeout(() => {
        throw new Error('of a timer')
      }, 10)
      return found
    })
    expect([run.outcome.status, caught]).toEqual(['returned', ['of a timer']])
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of listeners) process.on('uncaughtException', listener)
  }
})
