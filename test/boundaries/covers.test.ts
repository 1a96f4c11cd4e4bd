import timers from 'node:timers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { installDoors } from '../../src/boundaries/doors.ts'
import { replay } from '../../src/replay/replay.ts'
import { rerun } from '../../src/replay/rerun.ts'
import { recordRun } from '../support/record-run.ts'

// As importing `goldenrun/vitest` does: the doors are open before timers are faked, and stay so.
const release = installDoors()
afterEach(() => vi.useRealTimers())
afterAll(release)

/** Everything of a run that fake timers take hold of. */
async function agent(): Promise<readonly unknown[]> {
  const start = performance.now()
  const started = new Date()
  await new Promise((resolve) => setTimeout(resolve, 30))
  await sleep(5)
  await new Promise((resolve) => timers.setTimeout(resolve, 5))
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise<void>((resolve) => queueMicrotask(resolve))
  let ticks = 0
  await new Promise<void>((resolve) => {
    const interval = setInterval(() => {
      ticks += 1
      if (ticks < 3) return
      clearInterval(interval)
      resolve()
    }, 5)
  })
  const passed = performance.now() - start
  return [started instanceof Date, started.getTime(), Date.now() - started.getTime(), Math.floor(passed) >= 0, process.hrtime()]
}

const { trace } = await recordRun(agent)

it('replays past fake timers, which stay what they are for the test', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date', 'performance', 'hrtime'] })
  const fired: string[] = []
  setTimeout(() => fired.push('timeout'), 10)
  const replaying = replay(trace, agent)
  expect(Date.now()).toBe(0)
  expect(new Date()).toEqual(new Date(0))
  const run = await replaying
  expect(run.divergences).toEqual([])
  expect(run.hash).toBe(trace.hash)
  expect([Date.now(), performance.now(), fired]).toEqual([0, 0, []])
  vi.advanceTimersByTime(10)
  expect([Date.now(), fired]).toEqual([10, ['timeout']])
})

it('leaves nothing of its own behind', async () => {
  const fakeable = (): readonly unknown[] => [globalThis.setTimeout, timers.setTimeout, Date, performance, queueMicrotask, process.hrtime]
  const before = fakeable()
  vi.useFakeTimers()
  const faked = fakeable()
  await rerun(trace, agent, { times: 2 })
  expect(fakeable().map((one, index) => one === faked[index])).toEqual(faked.map(() => true))
  vi.useRealTimers()
  expect(fakeable().map((one, index) => one === before[index])).toEqual(before.map(() => true))
})

it('covers them for as long as any replay runs', async () => {
  vi.useFakeTimers()
  const runs = await Promise.all([replay(trace, agent), replay(trace, agent), replay(trace, agent)])
  expect(runs.flatMap(({ divergences }) => divergences)).toEqual([])
})

it('lets a test make its timers real while a replay runs', async () => {
  const real = setTimeout
  vi.useFakeTimers()
  const replaying = replay(trace, agent)
  await Promise.resolve()
  vi.useRealTimers()
  expect((await replaying).divergences).toEqual([])
  expect(setTimeout).toBe(real)
})
