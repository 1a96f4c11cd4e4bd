import { setTimeout as sleep } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { tool } from '../../src/index.ts'
import { explain } from '../../src/divergence/report/cause-words.ts'
import type { Divergence } from '../../src/divergence/divergence.ts'
import { replay } from '../../src/replay.ts'
import { recordRun } from '../support/record-run.ts'

const refund = tool('refund', { effect: 'write' }, async (id: string) => {
  await sleep(10)
  return { id }
})

/** Ways to hand out `One moment.` and `Refunded.`, the latter before or after the refund. */
const ways: Readonly<Record<string, (isEarly: boolean) => unknown>> = {
  'a generator': (isEarly) =>
    (async function* () {
      yield 'One moment.'
      if (isEarly) yield 'Refunded.'
      await refund('order')
      if (!isEarly) yield 'Refunded.'
    })(),
  'a stream': (isEarly) => streamOf(isEarly),
  'a Response': (isEarly) => new Response(streamOf(isEarly).pipeThrough(new TextEncoderStream())),
  'an object with a stream': (isEarly) => ({ textStream: streamOf(isEarly), id: 1 }),
}

function streamOf(isEarly: boolean): ReadableStream<string> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue('One moment.')
      if (isEarly) controller.enqueue('Refunded.')
      await refund('order')
      if (!isEarly) controller.enqueue('Refunded.')
      controller.close()
    },
  })
}

/** Reads what an agent handed out. @param pause Between two pieces, in milliseconds. */
async function readAll(output: unknown, pause = 0): Promise<void> {
  const source = output instanceof Response ? output.body : isStreams(output) ? output.textStream : output
  for await (const _ of source as AsyncIterable<unknown>) if (pause > 0) await sleep(pause)
}

function isStreams(output: unknown): output is { readonly textStream: AsyncIterable<unknown> } {
  return typeof output === 'object' && output !== null && 'textStream' in output
}

it.each(Object.entries(ways))('finds that a piece of %s was moved over a write, either way', async (_what, agent) => {
  for (const isEarly of [false, true]) {
    const { trace } = await recordRun(async () => agent(isEarly), { consume: readAll })
    for (let time = 0; time < 5; time += 1) expect((await replay(trace, async () => agent(isEarly))).divergences).toEqual([])
    expect((await replay(trace, async () => agent(!isEarly))).divergences).toMatchObject([
      { cause: 'outcome', differences: [{ path: 'place' }], name: expect.stringMatching(/^piece 2( of textStream)?$/) },
    ])
  }
})

it.each(['a generator', 'a stream'])('places the pieces of %s where the run gave them, however slowly they are read', async (what) => {
  const agent = ways[what] as (isEarly: boolean) => unknown
  for (const isEarly of [false, true]) {
    const { trace } = await recordRun(async () => agent(isEarly), { consume: (output) => readAll(output, 40) })
    for (let time = 0; time < 3; time += 1) expect((await replay(trace, async () => agent(isEarly))).divergences).toEqual([])
    expect((await replay(trace, async () => agent(!isEarly))).divergences).toMatchObject([{ cause: 'outcome', name: 'piece 2' }])
  }
})

it('says in the report where the piece stood, and accepts its new place', async () => {
  const agent = ways['a generator'] as (isEarly: boolean) => unknown
  const { trace } = await recordRun(async () => agent(false), { consume: readAll })
  const run = await replay(trace, async () => agent(true))
  expect(explain(run.divergences[0] as Divergence)).toBe(
    'The agent handed out piece 2 before step 1 settled, but the recorded run handed it out after step 1 settled.',
  )
  expect((await replay(run.toTrace(), async () => agent(true))).divergences).toEqual([])
  expect((await replay(run.toTrace(), async () => agent(false))).divergences).toMatchObject([{ cause: 'outcome', name: 'piece 2' }])
})

it('does not hold pieces that are made of an answer to whether they came before its end', async () => {
  const server = await listen(async (_request, response) => {
    response.write('a')
    await sleep(300)
    response.end()
  })
  try {
    const agent = async function* (): AsyncGenerator<string> {
      const response = await fetch(server.url)
      for await (const piece of response.body ?? []) {
        // Not as fast in a replay, where the rest of the answer comes at once.
        for (let count = 0; count < 10; count += 1) await passOn()
        yield new TextDecoder().decode(piece)
      }
    }
    const { trace } = await recordRun(agent, { consume: readAll })
    expect(trace.end?.given).toEqual([{ pieces: 1, made: 1, settled: 0, tick: 1 }])
    for (let time = 0; time < 20; time += 1) expect((await replay(trace, agent)).divergences).toEqual([])
  } finally {
    await server.close()
  }
})

/** Waits for a message, which takes a turn of the event loop that no recording counts. */
function passOn(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port2.on('message', () => {
      port2.close()
      resolve()
    })
    port1.postMessage(1)
  })
}
