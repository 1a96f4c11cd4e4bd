import { setImmediate as soon, setInterval as every, setTimeout as sleep, scheduler } from 'node:timers/promises'
import { inspect, promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { installDoors } from '../../src/boundaries/doors.ts'
import { realTimers } from '../../src/node/real-timers.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

// As in production, where the doors are open before the agent's modules load.
afterAll(installDoors())
const wait = promisify(setTimeout)

const [timeoutClass, immediateClass] = [
  realTimers.setTimeout(() => undefined, 0).constructor,
  realTimers.setImmediate(() => undefined).constructor,
] as [new () => object, new () => object]

/** How many timers keep the process alive. */
function countReferenced(): number {
  return process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length
}

it('gives callbacks their arguments, and knows a timer by the tick it was set in, its delay and its occurrence', async () => {
  const { trace, output } = await recordRun(async () => {
    const fired: unknown[] = []
    await new Promise<void>((resolve) => {
      setTimeout((...args: unknown[]) => fired.push(args), 2, 'a', 'b')
      setTimeout(() => {
        fired.push('again')
        setTimeout(resolve, 1.9)
      }, 2)
    })
    return fired
  })
  expect(output).toEqual([['a', 'b'], 'again'])
  expect(rowsOf(trace, 'timer').map(({ owner, set, delay, occurrence }) => ({ owner, set, delay, occurrence }))).toEqual([
    { owner: 0, set: 0, delay: 2, occurrence: undefined },
    { owner: 0, set: 0, delay: 2, occurrence: 2 },
    { owner: 0, set: 2, delay: 1, occurrence: undefined },
  ])
})

it('reads a delay as Node does', async () => {
  const { trace } = await recordRun(async () => {
    const delays = [undefined, -5, 0, Number.NaN, '2', 2.7, 2 ** 40]
    await Promise.all(delays.map((delay) => new Promise((resolve) => setTimeout(resolve, delay as number))))
  })
  expect(
    rowsOf(trace, 'timer')
      .map(({ delay }) => delay)
      .toSorted((a, b) => a - b),
  ).toEqual([1, 1, 1, 1, 1, 2, 2])
})

it('refuses an invalid callback as Node does', async () => {
  const { error } = await recordRun(() => Reflect.apply(setTimeout, undefined, ['later', 1]), { fails: true })
  expect(error).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' })
})

it('writes no row for a timer that is cleared, by whatever stands for it', async () => {
  const { trace, output } = await recordRun(async () => {
    const fired: string[] = []
    const set = (name: string): NodeJS.Timeout => setTimeout(() => fired.push(name), 1)
    clearTimeout(set('object'))
    clearTimeout(Number(set('number')))
    clearTimeout(`${Number(set('text'))}`)
    clearInterval(set('interval'))
    set('close').close()
    set('dispose')[Symbol.dispose]()
    await sleep(5)
    return fired
  })
  expect(output).toEqual([])
  expect(rowsOf(trace, 'timer').map(({ delay }) => delay)).toEqual([5])
})

it('returns a handle of the class that Node returns', async () => {
  const describe = async (): Promise<unknown> => {
    const handles = [setTimeout(() => undefined, 5), setInterval(() => undefined, 7), setImmediate(() => undefined)]
    const described = handles.map((handle) => ({
      name: handle.constructor.name,
      printed: /Timeout|Immediate/.exec(inspect(handle))?.[0],
      text: Object.prototype.toString.call(handle),
      isOfNode: handle instanceof timeoutClass || handle instanceof immediateClass,
      delay: Reflect.get(handle, '_idleTimeout') as unknown,
      repeat: Reflect.get(handle, '_repeat') as unknown,
    }))
    for (const handle of handles) clearTimeout(handle as NodeJS.Timeout)
    clearImmediate(handles[2] as NodeJS.Immediate)
    return Promise.resolve(described)
  }
  const beside = await describe()
  expect(beside).toMatchObject([{ name: 'Timeout', printed: 'Timeout' }, { name: 'Timeout' }, { name: 'Immediate' }])
  const { trace, output } = await recordRun(describe)
  expect(output).toEqual(beside)
  await expectClean(trace, describe)
})

it('repeats an interval until it is cleared, and restarts a refreshed timer', async () => {
  const { trace, output } = await recordRun(async () => {
    let ticks = 0
    await new Promise<void>((resolve) => {
      const interval = setInterval(() => {
        ticks += 1
        if (ticks < 3) return
        clearInterval(interval)
        resolve()
      }, 1)
    })
    const timer = setTimeout(() => (ticks += 10), 3)
    await sleep(1)
    timer.refresh()
    await sleep(10)
    return ticks
  })
  expect(output).toBe(13)
  expect(rowsOf(trace, 'timer').map(({ delay, set }) => [delay, set])).toEqual([
    [1, 0],
    [1, 1],
    [1, 2],
    [1, 3],
    [3, 4],
    [10, 4],
  ])
})

it('lets a program end that has unreferenced its timers', async () => {
  const { output } = await recordRun(() => {
    const before = countReferenced()
    const timers = [setTimeout(() => undefined, 10_000), setInterval(() => undefined, 10_000)]
    const referenced = countReferenced() - before
    const unreferenced = timers.map((timer) => timer.unref().hasRef())
    const left = countReferenced() - before
    timers.forEach((timer) => clearTimeout(timer))
    return { referenced, unreferenced, left }
  })
  expect(output).toEqual({ referenced: 2, unreferenced: [false, false], left: 0 })
})

it('lets a program end that waits for a signal or for promised timers without a reference', async () => {
  const { output } = await recordRun(async () => {
    const before = countReferenced()
    const stop = new AbortController()
    const waits = [AbortSignal.timeout(10_000), sleep(10_000, undefined, { ref: false, signal: stop.signal }).catch(() => 'stopped')]
    const left = countReferenced() - before
    stop.abort()
    await waits[1]
    return left
  })
  expect(output).toBe(0)
})

it('records promised timers, their values and what aborts them', async () => {
  const { trace, output } = await recordRun(async () => {
    const stop = new AbortController()
    const stopped = sleep(1000, undefined, { signal: stop.signal }).catch(({ name, code, cause, message }) => ({
      name,
      code,
      cause,
      message,
    }))
    stop.abort('enough')
    const values: unknown[] = [await sleep(1, 'slept'), await soon('soon'), await wait(1, 'waited')]
    await scheduler.wait(2)
    for await (const value of every(1, 'tick')) if (values.push(value) === 5) break
    return [values, await stopped]
  })
  expect(output).toEqual([
    ['slept', 'soon', 'waited', 'tick', 'tick'],
    { name: 'AbortError', code: 'ABORT_ERR', cause: 'enough', message: 'The operation was aborted' },
  ])
  expect(rowsOf(trace, 'timer').map(({ delay }) => delay)).toEqual([1, 1, 2, 1, 1])
})

it('hands out the ticks of an interval that came while its reader was busy', async () => {
  const { output } = await recordRun(async () => {
    const seen: number[] = []
    for await (const _ of every(1)) {
      if (seen.length === 0) await sleep(20)
      if (seen.push(seen.length) === 4) break
    }
    return seen
  })
  expect(output).toEqual([0, 1, 2, 3])
})

it('records the timer of a signal that times out', async () => {
  const { trace, output } = await recordRun(async () => {
    const signal = AbortSignal.timeout(3)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { name: signal.reason.name, message: signal.reason.message, isException: signal.reason instanceof DOMException }
  })
  expect(output).toEqual({ name: 'TimeoutError', message: 'The operation was aborted due to timeout', isException: true })
  expect(rowsOf(trace, 'timer').map(({ delay }) => delay)).toEqual([3])
})

it('refuses an invalid delay of a signal, as Node does', async () => {
  const { error } = await recordRun(() => AbortSignal.timeout(-1), { fails: true })
  expect(error).toMatchObject({ code: 'ERR_OUT_OF_RANGE' })
})

it('owns a timer by the step that it was set in', async () => {
  const pause = tool('pause', {}, async () => sleep(1))
  const { trace } = await recordRun(() => pause())
  expect(rowsOf(trace, 'timer')).toMatchObject([{ owner: 1, delay: 1 }])
})

it("is cleared by Node's own functions, which a program has where the doors are shut or were not open yet", async () => {
  const fired: string[] = []
  const timers: Record<string, NodeJS.Timeout> = {}
  const left = Promise.withResolvers<void>()
  await recordRun(async () => {
    timers['in the run'] = setTimeout(() => fired.push('in the run'), 800)
    timers['after the run'] = setTimeout(() => fired.push('after the run'), 800)
    timers['interval'] = setInterval(() => fired.push('interval'), 800)
    setTimeout(left.resolve, 810)
    realTimers.clearTimeout(timers['in the run'])
    return 'done'
  })
  realTimers.clearTimeout(timers['after the run'])
  realTimers.clearTimeout(timers['interval'])
  await left.promise
  expect(fired).toEqual([])
})
