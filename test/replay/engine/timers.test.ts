import { setInterval as every, setTimeout as sleep, scheduler } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import type { Row } from '../../../src/trace/rows.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { describeError } from '../../support/record-beside.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

/** Records an agent and expects a clean replay. */
async function expectSame<Output>(agent: () => Output): Promise<{ readonly trace: Trace; readonly output: Awaited<Output> }> {
  const { trace, output } = await recordRun(agent)
  await expectClean(trace, agent)
  return { trace, output }
}

/** The recording of an agent that is a million times as slow, its delays included. */
function slowDown(trace: Trace): Trace {
  const rows = trace.rows.map((row): Row => {
    if (row.kind === 'timer') return { ...row, at: row.at * 1e6, delay: row.delay * 1e6 }
    return 'at' in row ? { ...row, at: row.at * 1e6 } : row
  })
  return { ...trace, rows }
}

const wait = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))

it('fires timers in the recorded order', async () => {
  const { output } = await expectSame(async () => {
    const order: string[] = []
    const note = (name: string, delay: number): Promise<void> => wait(delay).then(() => void order.push(name))
    await Promise.all([note('late', 12), note('early', 2), note('twin 1', 6), note('twin 2', 6), note('at once', 0)])
    return order
  })
  expect(output.toSorted()).toEqual(['at once', 'early', 'late', 'twin 1', 'twin 2'])
})

it('waits for hours in no time', { timeout: 10_000 }, async () => {
  let factor = 1
  const agent = async (): Promise<number> => {
    await wait(3 * factor)
    await sleep(4 * factor)
    await scheduler.wait(5 * factor)
    return 3
  }
  const { trace } = await recordRun(agent)
  factor = 1e6
  const run = await replay(slowDown(trace), agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 3 }])
  // Each of the three may have fired up to a millisecond early in the recording: Node's timers count whole milliseconds.
  expect(run.virtualMs).toBeGreaterThan(9e6)
})

it('repeats intervals as often as they came', async () => {
  const { output } = await expectSame(async () => {
    let ticks = 0
    const interval = setInterval(() => (ticks += 1), 1)
    await wait(12)
    clearInterval(interval)
    const seen: number[] = []
    for await (const value of every(1, 'tick')) if (seen.push(value.length) === 3) break
    return [ticks > 0, seen]
  })
  expect(output).toEqual([true, [4, 4, 4]])
})

it('decides a race with a timeout as it was decided', async () => {
  const slow = tool('slow', {}, async (delay: number) => wait(delay).then(() => 'answered'))
  const race = (delay: number): Promise<string> => Promise.race([slow(delay), wait(10).then(() => 'timed out')])
  const { output } = await expectSame(async () => [await race(0), await race(40), await race(1)])
  expect(output).toEqual(['answered', 'timed out', 'answered'])
})

it('aborts what a signal aborted', async () => {
  const server = await listen(async (request, response) => {
    if (request.url === '/now') response.end('now')
  })
  const agent = async (): Promise<unknown> => [
    await fetch(`${server.url}/hangs`, { signal: AbortSignal.timeout(10) }).catch(describeError),
    await (await fetch(`${server.url}/now`, { signal: AbortSignal.timeout(60_000) })).text(),
    await sleep(1000, undefined, { signal: AbortSignal.timeout(5) }).catch(describeError),
  ]
  const { trace } = await recordRun(agent)
  await server.close()
  await expectClean(trace, agent)
})

it('keeps refreshed, cleared, numbered and unreferenced timers', async () => {
  const { output } = await expectSame(async () => {
    const fired: string[] = []
    const refreshed = setTimeout(() => fired.push('refreshed'), 4)
    setTimeout(() => refreshed.refresh(), 2)
    setTimeout(() => fired.push('unreferenced'), 3).unref()
    clearTimeout(Number(setTimeout(() => fired.push('numbered'), 1)))
    clearTimeout(setTimeout(() => fired.push('cleared'), 1))
    await wait(60)
    return [...fired]
  })
  expect(output.toSorted()).toEqual(['refreshed', 'unreferenced'])
})

it('runs immediates, and forgets those that are cleared', async () => {
  await expectSame(async () => {
    const order: string[] = []
    clearImmediate(setImmediate(() => order.push('cleared')))
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        order.push('immediate')
        resolve()
      })
    })
    await wait(1)
    order.push('timer')
    return order
  })
})

it('runs immediates before what came later, one after the other, and an answer before a chain of them is over', async () => {
  const look = tool('look', {}, async () => {
    await sleep(15)
    return 'seen'
  })
  await expectSame(async () => {
    const order: string[] = []
    setTimeout(() => order.push('timer'), 10)
    setImmediate(() => {
      order.push('immediate')
      setImmediate(() => order.push('the next one'))
    })
    await look()
    order.push('look')
    setImmediate(() => order.push('after look'))
    await wait(20)
    return order
  })
  await expectSame(async () => {
    const seen: string[] = []
    void look().then((text) => seen.push(text))
    // It asks for turns until there is an answer.
    while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve))
    return seen
  })
})

it('fires a timer that the recording does not have at its virtual time', async () => {
  const { trace } = await recordRun(async () => {
    await wait(20)
    return 'done'
  })
  const order: string[] = []
  const run = await replay(trace, async () => {
    setTimeout(() => order.push('minute'), 60_000)
    setTimeout(() => order.push('second'), 1000)
    await wait(20)
    order.push('recorded')
    await wait(90_000)
    order.push('late')
    return 'done'
  })
  expect([run.divergences, run.outcome, order]).toEqual([
    [],
    { status: 'returned', output: 'done' },
    ['recorded', 'second', 'minute', 'late'],
  ])
})

it('does not wait for a recorded timer that is no longer set', async () => {
  const { trace } = await recordRun(async () => {
    await wait(5)
    await wait(6)
    return 'done'
  })
  const run = await replay(trace, () => 'done')
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'done' }])
})

it('keeps the clock in step with the timers', async () => {
  const { trace } = await expectSame(async () => {
    const start = Date.now()
    await wait(15)
    return Date.now() - start
  })
  expect(rowsOf(trace, 'timer')).toHaveLength(1)
})
