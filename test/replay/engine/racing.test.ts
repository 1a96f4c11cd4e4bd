import { expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { toGoldenTrace } from '../../support/replay-clean.ts'
import { createSeededRandom, type SeededRandom } from '../../../src/replay/engine/seeded-random.ts'

/** Of each form of each recording; `npm run determinism` replays other hard runs a thousand times. */
const repetitions = 8

/** A server that answers late by chance, a third of its answers in pieces. */
async function startServer(random: SeededRandom): Promise<{ readonly url: string; close(): Promise<void> }> {
  const pause = (most: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.floor(random.double() * most)))
  return await listen(async (request, response) => {
    const number = Number(request.url?.slice(1))
    await pause(12)
    if (number % 6 === 5) return void response.destroy()
    if (number % 3 !== 0) return void response.end(`${number}`)
    for (const piece of ['a', 'b', 'c', 'd']) {
      response.write(`${number}${piece}`)
      await pause(4)
    }
    response.end()
  })
}

/** Twelve calls at once, raced in every way, and all in the order in which the agent saw them. */
async function race(url: string): Promise<unknown> {
  const order: string[] = []
  const settle = tool('settle', {}, async (number: number) => number)
  const ask = async (number: number): Promise<string> => {
    const response = await fetch(`${url}/${number}`)
    order.push(`head ${number}`)
    let text = ''
    for await (const piece of response.body ?? []) {
      order.push(`chunk ${number}`)
      text += Buffer.from(piece).toString()
    }
    order.push(`end ${await settle(number)} at ${Date.now()} ${Math.random()}`)
    return text
  }
  const calls = Array.from({ length: 12 }, (_, index) =>
    ask(index + 1).catch((error: Error) => {
      order.push(`${error.message} ${index + 1}`)
      throw error
    }),
  )
  // Some fail before anybody looks at them.
  for (const call of calls) call.catch(() => undefined)
  const first = await Promise.race(calls.slice(0, 4)).catch((error: Error) => error.message)
  order.push('raced')
  const any = await Promise.any(calls.slice(4, 8))
  order.push('any')
  const all = await Promise.allSettled(calls)
  return { first, any, all: all.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))), order }
}

for (const seed of [process.env['GOLDENRUN_SEED'] ?? String(Date.now()), 'first', 'second']) {
  it(`releases racing calls in the recorded order, with the seed ${seed}`, async () => {
    const server = await startServer(createSeededRandom(seed))
    const { trace, output } = await recordRun(() => race(server.url))
    await server.close()
    expect(trace.steps.length).toBeGreaterThan(20)
    for (const form of [trace, toGoldenTrace(trace)]) {
      for (let time = 0; time < repetitions; time += 1) {
        const run = await replay(form, () => race(server.url))
        expect(run.outcome, `seed ${seed}, replay ${time}`).toEqual({ status: 'returned', output })
        expect([run.divergences, run.hash]).toEqual([[], trace.hash])
      }
    }
  })
}
