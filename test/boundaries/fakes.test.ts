import { afterEach, expect, it, vi } from 'vitest'
import { replay } from '../../src/replay.ts'
import { recordRun } from '../support/record-run.ts'

afterEach(() => {
  vi.useRealTimers()
})

async function agent(): Promise<unknown> {
  const begun = Date.now()
  await new Promise<void>((resolve) => void setTimeout(resolve, 50))
  await new Promise<void>((resolve) => process.nextTick(resolve))
  await new Promise<void>((resolve) => queueMicrotask(resolve))
  return [begun, new Date().toISOString(), new Date() instanceof Date, performance.now()]
}

it('gives runs their own clock and timers, and the test around them its fake ones', async () => {
  const { trace } = await recordRun(agent)
  vi.useFakeTimers({ now: 0, toFake: ['Date', 'setTimeout', 'setImmediate', 'performance', 'queueMicrotask', 'hrtime'] })
  const tick = vi.fn<() => void>()
  setTimeout(tick, 1000)
  const [one, other] = await Promise.all([replay(trace, agent), replay(trace, agent)])
  expect([one?.divergences, other?.divergences]).toEqual([[], []])
  expect([Date.now(), new Date() instanceof Date, tick.mock.calls.length]).toEqual([0, true, 0])
  vi.advanceTimersByTime(1000)
  expect(tick).toHaveBeenCalledOnce()
  vi.useRealTimers()
  expect(Date.now()).toBeGreaterThan(1e12)
  expect((await replay(trace, agent)).divergences).toEqual([])
})
