import { setInterval as every } from 'node:timers/promises'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { startProvider } from '../../../examples/world/provider.ts'
import { renderDivergences } from '../../../src/divergence/create-report.ts'
import { replay } from '../../../src/replay/replay.ts'
import { fork } from '../../../src/travel/fork.ts'
import type { ReplayOptions } from '../../../src/replay/contract/replay-options.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { look, recordLooks, testEndless, turn, wait } from './endless-agents.ts'

const count = tool('count', {}, async (number: number) => number)

const trace = await recordLooks()

// What else agents do for ever: endless.slow.test.ts.
testEndless(trace, 'sleeps for ever')

/** Ways to let an agent go on past what the trace has. */
const goingOn: Readonly<Record<string, ReplayOptions>> = {
  'refuses each of them and goes on': { onDivergence: 'continue' },
  'answers each of them': { answers: { count: 0 } },
  'lets the tool run': { tools: { count: 'run' } },
}

for (const [name, options] of Object.entries(goingOn)) {
  it.concurrent(`stops an agent that makes calls for ever where the replay ${name}`, { timeout: 30_000 }, async () => {
    let number = 0
    const run = await replay(
      trace,
      async () => {
        await look('ord_1')
        for (;;) await count(number++).catch(() => undefined)
      },
      options,
    )
    expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'unexpected-call', step: 1, name: 'count' } })
    // After the end nothing goes on.
    const ended = number
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(number).toBe(ended)
  })
}

it.concurrent('stops a fork that is answered for ever', { timeout: 30_000 }, async () => {
  const run = await fork(
    trace,
    async () => {
      await look('ord_1')
      while ((await count(1)) !== 2);
    },
    { answers: { count: 1 } },
  )
  expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'unexpected-call', step: 1, name: 'count' } })
})

it.concurrent('runs no immediate of an agent any more once its replay is over', { timeout: 10_000 }, async () => {
  let turns = 0
  await replay(trace, async () => {
    for (;;) {
      await turn()
      turns += 1
    }
  })
  const ended = turns
  for (let time = 0; time < 5; time += 1) await turn()
  expect([turns, ended > 1000]).toEqual([ended, true])
})

it.concurrent('says what a run that never ends is waiting for', { timeout: 10_000 }, async () => {
  const waitsFor: Readonly<Record<string, () => Promise<unknown>>> = {
    'a timer of 1000 ms': async () => {
      for (;;) await wait(1000)
    },
    'an interval of 10 ms': async () => {
      for await (const _ of every(10));
    },
    'the next turn of the event loop': async () => {
      for (;;) await turn()
    },
    'a promise that nothing known will settle': () => new Promise(() => undefined),
  }
  await Promise.all(
    Object.entries(waitsFor).map(async ([what, body]) => {
      const run = await replay(trace, body)
      expect(run.divergences.at(-1)?.received).toEqual({ never: 'settled', waitsFor: [what] })
      expect(renderDivergences({ ...run, divergences: run.divergences.slice(-1) }, { color: false, width: 120 })).toContain(
        `no end: it is waiting for ${what}`,
      )
    }),
  )
})

it('stops an agent that calls the model endlessly while the replay continues', { timeout: 20_000 }, async () => {
  const provider = await startProvider({ script: [{ text: 'Hello.' }, { text: 'Bye.' }] })
  const ask = async (content: string): Promise<unknown> =>
    new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl }).chat.completions.create({
      model: 'gpt-4.1',
      messages: [{ role: 'user', content }],
    })
  const { trace: asked } = await recordRun(async () => [await ask('Hello?'), await ask('Bye?')].length)
  await provider.close()
  const agent = async (): Promise<void> => {
    for (let time = 1; ; time += 1) await ask(`Hello for the ${time}. time?`).catch(() => undefined)
  }
  const run = await replay(asked, agent, { onDivergence: 'continue' })
  expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'input', step: 1 } })
})

it('lets a loop reach its deadline, however it waits for it', { timeout: 10_000 }, async () => {
  const deadlineIn = (delay: number): number => Date.now() + delay
  const loops: (() => Promise<void>)[] = [
    async () => {
      const deadline = deadlineIn(3_600_000)
      while (Date.now() < deadline);
    },
    async () => {
      const deadline = deadlineIn(600_000)
      while (Date.now() < deadline) await turn()
    },
    async () => {
      const deadline = deadlineIn(60_000)
      while (Date.now() < deadline) await wait(20)
    },
    async () => {
      const start = performance.now()
      while (performance.now() - start < 60_000) await turn()
    },
  ]
  for (const loop of loops) {
    const run = await replay(trace, async () => {
      await look('ord_1')
      await loop()
      await wait(3)
      await look('ord_2')
      return 'done'
    })
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'done' }])
  }
})

it('lets an agent poll as often as it was recorded, and more often', async () => {
  let polls = 40
  const agent = async (): Promise<string> => {
    await look('ord_1')
    for (let time = 0; time < polls; time += 1) await wait(1)
    await look('ord_2')
    for (let time = 0; time < polls; time += 1) await turn()
    let ticks = 0
    for await (const _ of every(1)) if ((ticks += 1) >= polls / 4) break
    return 'done'
  }
  const { trace: recorded } = await recordRun(agent)
  await expectClean(recorded, agent)
  for (polls of [0, 4, 45, 400, 4000]) {
    const run = await replay(recorded, agent)
    expect([run.divergences, run.outcome], `${polls} polls`).toEqual([[], { status: 'returned', output: 'done' }])
  }
})

it('lets work that is done in pieces take its time', async () => {
  const run = await replay(trace, async () => {
    await look('ord_1')
    for (let piece = 0; piece < 20_000; piece += 1) await turn()
    await wait(3)
    await look('ord_2')
    return 'done'
  })
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'done' }])
})
