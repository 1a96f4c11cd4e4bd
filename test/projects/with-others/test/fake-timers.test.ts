import { replay } from 'goldenrun/vitest'
import { afterEach, expect, test, vi } from 'vitest'
import { supportAgent } from '../src/agent.ts'
import { lookupAgent } from '../src/lookup.ts'

afterEach(() => vi.useRealTimers())

test('a replay has the timers and the clock of its trace, and the test its own', async () => {
  vi.useFakeTimers({ now: new Date('2001-01-01') })
  const tick = vi.fn()
  setTimeout(tick, 1000)
  const run = await replay('busy-shop', lookupAgent)
  expect(run).toReplayWithoutDivergence()
  expect(tick).not.toHaveBeenCalled()
  expect(new Date().getFullYear()).toBe(2001)
  vi.advanceTimersByTime(1000)
  expect(tick).toHaveBeenCalledOnce()
})

test('every timer that can be faked may be, and is real again afterwards', async () => {
  const real = [setTimeout, setInterval, setImmediate, queueMicrotask, Date, performance, process.hrtime]
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date', 'performance', 'hrtime'] })
  expect(await replay('busy-shop', lookupAgent)).toReplayWithoutDivergence()
  expect(await replay('cancel-unshipped', supportAgent)).toReplayWithoutDivergence()
  vi.useRealTimers()
  const now = [setTimeout, setInterval, setImmediate, queueMicrotask, Date, performance, process.hrtime]
  expect(now.map((one, index) => one === real[index])).toEqual(real.map(() => true))
})

test('replays at once share what covers fake timers', async () => {
  vi.useFakeTimers()
  const runs = await Promise.all([
    replay('busy-shop', lookupAgent),
    replay('cancel-unshipped', supportAgent),
    replay('busy-shop', lookupAgent),
  ])
  for (const run of runs) expect(run).toReplayWithoutDivergence()
})

test('timers may be faked by the time that the test runs, and be real again within a replay', async () => {
  vi.useFakeTimers()
  const replaying = replay('busy-shop', lookupAgent)
  vi.useRealTimers()
  expect(await replaying).toReplayWithoutDivergence()
})
