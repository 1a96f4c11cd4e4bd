import timers, {
  clearTimeout as namedClear,
  setImmediate as namedImmediate,
  setInterval as namedInterval,
  setTimeout as namedTimeout,
} from 'node:timers'
import timersPromises, { scheduler, setImmediate as soon, setInterval as every, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { countTimers } from './count-timers.ts'

// As in production, where the doors are open before the agent's modules load.
afterAll(installDoors())

const wait = promisify(setTimeout)
const turn = promisify(setImmediate) as (value?: unknown) => Promise<unknown>
const { setTimeout: earlyTimeout } = globalThis
/** A singleton's, set before any run. */
const before = setInterval(() => undefined, 1)
afterAll(() => clearInterval(before))

/** Every way to wait. Each tells what it saw. */
const ways: Readonly<Record<string, () => unknown>> = {
  'setTimeout() with arguments': () => new Promise((resolve) => setTimeout((...args: unknown[]) => resolve(args), 5, 'a', 'b')),
  'setTimeout() of node:timers': () => new Promise((resolve) => namedTimeout(() => timers.setTimeout(resolve, 2, 'late'), 2)),
  'setTimeout() that was taken hold of early': () => new Promise((resolve) => earlyTimeout(resolve, 5, 'early')),
  'setTimeout() with this': () =>
    new Promise((resolve) => {
      const timer = setTimeout(function (this: unknown) {
        resolve(this === timer)
      }, 2)
    }),
  'setInterval()': () => countTicks((tick) => setInterval(tick, 2)),
  'setInterval() of node:timers': () => countTicks((tick) => namedInterval(tick, 2)),
  'setImmediate()': () => new Promise((resolve) => setImmediate((first, second) => resolve([first, second]), 1, 2)),
  'setImmediate() of node:timers': () => new Promise((resolve) => namedImmediate(() => timers.setImmediate(resolve, 'next'))),
  'setTimeout() of node:timers/promises': async () => [
    await sleep(3, 'slept'),
    await timersPromises.setTimeout(2),
    await sleep(2, 'loose', { ref: false }),
  ],
  'setInterval() of node:timers/promises': async () => {
    const seen: unknown[] = []
    for await (const value of every(2, 'tick')) if (seen.push(value) === 3) break
    return seen
  },
  'setInterval() of node:timers/promises, read late': async () => {
    const seen: number[] = []
    for await (const _ of every(2)) {
      if (seen.length === 0) await sleep(20)
      if (seen.push(seen.length) === 4) break
    }
    return seen
  },
  'setImmediate() of node:timers/promises': async () => [await soon('soon'), await timersPromises.setImmediate()],
  'scheduler.wait() and scheduler.yield()': async () => [
    await scheduler.wait(3),
    await scheduler.yield(),
    await timersPromises.scheduler.wait(2),
  ],
  'promisify(setTimeout)': () => wait(3, 'waited'),
  'promisify(setImmediate)': () => turn('turned'),
  'AbortSignal.timeout()': async () => {
    const signal = AbortSignal.timeout(3)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return [signal.reason.name, signal.reason.message, signal.reason instanceof DOMException]
  },
  'AbortSignal.any() on a timeout': async () => {
    const signal = AbortSignal.any([AbortSignal.timeout(3), new AbortController().signal])
    return await sleep(1000, 'late', { signal }).catch(({ name, code, cause }) => [name, code, cause.name])
  },
  'a wait that is aborted': async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort('enough'), 2)
    return await sleep(1000, 'late', { signal: stop.signal }).catch(({ name, cause }) => [name, cause])
  },
  'an interval that is aborted': async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort('enough'), 7)
    let ticks = 0
    try {
      for await (const _ of every(2, undefined, { signal: stop.signal })) ticks += 1
    } catch (error) {
      return [ticks, (error as Error).name, (error as Error).cause]
    }
  },
  'a wait that was aborted before': () => sleep(1000, 'late', { signal: AbortSignal.abort('never') }).catch(({ cause }) => cause),
  'a turn that was aborted before': () => soon('late', { signal: AbortSignal.abort('never') }).catch(({ cause }) => cause),
  'a turn that is aborted': async () => {
    const stop = new AbortController()
    const waiting = soon('late', { signal: stop.signal }).catch(({ cause }) => cause)
    stop.abort('enough')
    return await waiting
  },
  'a race': () => Promise.race([sleep(9, 'slow'), sleep(3, 'fast'), wait(6, 'middle')]),
  'a timer that is started anew': async () => {
    const seen: string[] = []
    const timer = setTimeout(() => seen.push('fired'), 6)
    await sleep(2)
    timer.refresh()
    await sleep(5)
    seen.push('not yet')
    await sleep(10)
    timer.refresh()
    await sleep(10)
    timer.close().refresh()
    await sleep(10)
    return seen
  },
  'timers that are cleared, by whatever stands for them': async () => {
    const fired: string[] = []
    const set = (name: string): NodeJS.Timeout => setTimeout(() => fired.push(name), 2)
    clearTimeout(set('object'))
    clearInterval(Number(set('number')))
    clearTimeout(`${Number(set('text'))}`)
    namedClear(set('named'))
    set('close').close()
    set('dispose')[Symbol.dispose]()
    clearImmediate(setImmediate(() => fired.push('immediate')))
    clearImmediate(undefined)
    await sleep(5)
    return fired
  },
  'timers without a reference': async () => {
    const timer = setTimeout(() => undefined, 50)
    const held = [timer.hasRef(), timer.unref().hasRef(), timer.ref().hasRef()]
    clearTimeout(timer)
    await sleep(1)
    return held
  },
  'timers of one delay': async () => {
    const order: number[] = []
    await Promise.all([1, 2, 3].map((index) => sleep(4).then(() => order.push(index))))
    return order
  },
  'delays as Node reads them': async () => {
    const delays: unknown[] = [undefined, -5, 0, Number.NaN, '3', 2.7, 2 ** 40]
    const order: unknown[] = []
    await Promise.all(
      delays.map((delay) => new Promise<void>((resolve) => setTimeout(() => resolve(void order.push(String(delay))), delay as number))),
    )
    return order
  },
}

it.each(Object.entries(ways))('costs no time on replay: %s', async (_name, waitOnce) => {
  const agent = async (): Promise<unknown[]> => [Date.now(), await waitOnce(), performance.now()]
  const { trace } = await recordRun(agent)
  const { result, started } = await countTimers(() => expectClean(trace, agent))
  expect(started).toBe(0)
  // What the run left behind fires after it.
  const fired = rowsOf(
    {
      ...trace,
      rows: trace.rows.slice(
        0,
        trace.rows.findIndex(({ kind }) => kind === 'end'),
      ),
    },
    'timer',
  )
  expect(result.virtualMs).toBe(fired.at(-1)?.at ?? 0)
})

it('hands timers that were set before the run to Node', async () => {
  const set = (): NodeJS.Timeout[] => Array.from({ length: 3 }, () => setTimeout(() => undefined, 60_000))
  let outside = set()
  const agent = async (): Promise<unknown[]> => {
    const [first, second, third] = outside
    clearTimeout(first)
    clearTimeout(Number(second))
    await sleep(2)
    return [third?.unref().refresh() === third, ...outside.map((timer) => timer.hasRef())]
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([true, true, true, false])
  expect(outside.map((timer) => Reflect.get(timer, '_destroyed'))).toEqual([true, true, false])
  expect(rowsOf(trace, 'timer').map(({ delay }) => delay)).toEqual([2])
  for (const timer of outside) clearTimeout(timer)
  outside = set()
  expect((await replay(trace, agent)).outcome).toEqual({ status: 'returned', output })
  expect(outside.map((timer) => Reflect.get(timer, '_destroyed'))).toEqual([true, true, false])
  for (const timer of outside) clearTimeout(timer)
})

it('refuses what Node refuses, on replay too', async () => {
  const refused = [
    () => Reflect.apply(setTimeout, undefined, ['callback', 1]),
    () => Reflect.apply(setImmediate, undefined, [5]),
    () => AbortSignal.timeout(-1),
    () => Reflect.apply(sleep, undefined, ['5']),
    () => Reflect.apply(sleep, undefined, [5, 'value', null]),
    () => Reflect.apply(sleep, undefined, [5, 'value', { signal: {} }]),
    () => Reflect.apply(soon, undefined, ['value', { ref: 'no' }]),
    () => Reflect.apply(every, undefined, ['5']).next(),
    () => Reflect.apply(scheduler.wait, scheduler, ['5']),
    () => Reflect.apply(scheduler.wait, {}, [5]),
  ]
  const agent = (): Promise<unknown[]> => Promise.all(refused.map((start) => refusalOf(start)))
  const outside = await agent()
  expect(outside).toEqual([
    ...Array.from({ length: 9 }, (_, index) => (index === 2 ? 'ERR_OUT_OF_RANGE' : 'ERR_INVALID_ARG_TYPE')),
    expect.any(String),
  ])
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(outside)
  await expectClean(trace, agent)
})

it('waits again and again within one turn of the event loop, however often', async () => {
  const agent = async (): Promise<number> => {
    for (let count = 0; count < 50; count += 1) await scheduler.yield()
    await sleep(5)
    for (let count = 0; count < 50; count += 1) await turn()
    return Math.random()
  }
  const { trace } = await recordRun(agent)
  await expectClean(trace, agent)
})

function countTicks(start: (tick: () => void) => NodeJS.Timeout): Promise<number> {
  return new Promise((resolve) => {
    let ticks = 0
    const interval = start(() => {
      ticks += 1
      if (ticks < 3) return
      clearInterval(interval)
      resolve(ticks)
    })
  })
}

async function refusalOf(start: () => unknown): Promise<unknown> {
  try {
    return await start()
  } catch (error) {
    return Reflect.get(Object(error), 'code') ?? (error as Error).name
  }
}
