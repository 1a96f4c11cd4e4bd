import { setInterval as every } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { recordRun } from '../../support/record-run.ts'

export const look: (order: string) => Promise<string> = tool('look', {}, async (order: string) => order)
export const wait = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A run of two calls, with a pause between them. */
export async function recordLooks(): Promise<Trace> {
  const { trace } = await recordRun(async () => {
    await look('ord_1')
    await wait(3)
    await look('ord_2')
    return 'done'
  })
  return trace
}

/** What agents do for ever, after the first call of the recording. */
export const endless: Readonly<Record<string, () => Promise<unknown>>> = {
  'sleeps for ever': async () => {
    for (;;) await wait(1000)
  },
  'sleeps for ever, each time as the recording did': async () => {
    for (;;) await wait(3)
  },
  'sleeps for ever in two places at once': () => Promise.all([endless['sleeps for ever']?.(), endless['sleeps for ever']?.()]),
  'waits for a flag that nobody raises': async () => {
    const raised = new Set<string>()
    while (raised.size === 0) await wait(50)
  },
  'waits for every tick of an interval': async () => {
    for await (const _ of every(10));
  },
  'waits for something else while an interval ticks': async () => {
    setInterval(() => undefined, 10)
    await new Promise(() => undefined)
  },
  'spins on immediates': async () => {
    for (;;) await turn()
  },
  'spins on immediates beside an interval': async () => {
    setInterval(() => undefined, 10)
    for (;;) await turn()
  },
  'spins on immediates and sleeps': async () => {
    for (;;) {
      await turn()
      await wait(1)
    }
  },
  'reads the clock between immediates': async () => {
    for (;;) {
      Date.now()
      await turn()
    }
  },
  'has a timeout for each of its endless turns': async () => {
    for (;;) await Promise.race([new Promise(() => undefined), wait(60_000)])
  },
}

/** Tests that an agent which does so is stopped, wherever it begins. */
export function testEndless(trace: Trace, name: string): void {
  const body = endless[name] ?? (() => Promise.reject(new Error(`nothing ${name}`)))
  it.concurrent(`stops an agent that ${name}`, { timeout: 30_000 }, async () => {
    const run = await replay(trace, async () => {
      await look('ord_1')
      await body()
    })
    expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'missing-call', step: 2 } })
    expect(run.divergences[1]).toMatchObject({ cause: 'outcome', received: { never: 'settled', waitsFor: expect.any(Array) } })
  })

  it.concurrent(`stops an agent that ${name} once all recorded calls are made`, { timeout: 30_000 }, async () => {
    const run = await replay(trace, async () => {
      await look('ord_1')
      await wait(3)
      await look('ord_2')
      await body()
    })
    expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'outcome', step: 2, received: { never: 'settled' } } })
  })

  it.concurrent(`ends with the verdict where an agent ${name} after a refusal`, { timeout: 30_000 }, async () => {
    const run = await replay(trace, async () => {
      await look('ord_1')
      await look('ord_9').catch(body)
    })
    expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'unexpected-call', step: 1, position: 'after' } })
  })

  it.concurrent(`ends where an agent leaves something behind that ${name}`, { timeout: 30_000 }, async () => {
    const run = await replay(trace, async () => {
      await look('ord_1')
      await wait(3)
      await look('ord_2')
      void body()
      return 'done'
    })
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'done' }])
  })
}
