import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import { recordRun, startRecorder } from '../support/record-run.ts'
import type { HttpInput } from '../../src/trace/rows.ts'
import type { Trace } from '../../src/trace/trace.ts'

/** A client whose token all who ask at once wait for together, as in life; its server is slow to give one. */
function createClient(): { ask(base: string, order: string): Promise<string>; forget(): void } {
  let token: Promise<string> | undefined
  return {
    async ask(base, order) {
      token ??= fetch(`${base}/token`).then((response) => response.text())
      const auth = await token
      const answers = await Promise.all(
        ['status', 'price'].map(async (what) => {
          const url = `${base.replace('127.0.0.1', 'localhost')}/${order}/${what}`
          return (await fetch(url, { headers: { 'idempotency-key': auth } })).text()
        }),
      )
      return answers.join(', ')
    },
    forget: () => (token = undefined),
  }
}

const client = createClient()
const agent = async ({ base, order }: { base: string; order: string }): Promise<string> => {
  await fetch(`${base.replace('127.0.0.1', 'localhost')}/${order}/hello`).then((response) => response.text())
  const answer = await client.ask(base, order)
  await sleep(2)
  return answer
}

async function recordTogether(count: number, ambient: boolean): Promise<Trace[]> {
  const server = await listen(async (request, response) => {
    if (request.url === '/token') await sleep(20)
    response.end(`${request.url} for ${String(request.headers['idempotency-key'])}`)
  })
  client.forget()
  await using recorder = await startRecorder(ambient ? { ambient: [new URL(server.url).host] } : {})
  const runs = await Promise.all(
    Array.from({ length: count }, (_, index) => recorder.record(agent, { input: { base: server.url, order: `ord_${index}` } })),
  )
  await server.close()
  return runs.map(({ trace }) => trace)
}

it('replays each of several runs that shared one token fetch, alone, cold and warm', async () => {
  const traces = await recordTogether(4, true)
  // Whichever was greeted first.
  const fetched = traces.map(({ steps }) => steps.filter(({ input }) => (input as HttpInput).url.endsWith('/token')).length)
  expect(fetched.toSorted((a, b) => b - a)).toEqual([1, 0, 0, 0])
  for (const warm of [false, true]) {
    for (const trace of traces) {
      if (!warm) client.forget()
      const run = await replay(trace, agent)
      expect([run.divergences, run.outcome, run.hash]).toEqual([[], { status: 'returned', output: trace.end?.output }, trace.hash])
    }
  }
})

it('replays them all at once, whichever fetches', async () => {
  const traces = await recordTogether(4, true)
  for (const order of [traces, traces.toReversed()]) {
    client.forget()
    const runs = await Promise.all(order.map((trace) => replay(trace, agent)))
    expect(runs.map(({ divergences }) => divergences)).toEqual(runs.map(() => []))
    expect(runs.map(({ hash }) => hash)).toEqual(order.map(({ hash }) => hash))
  }
})

it('is red for those that did not fetch, where the call is not said to be ambient', async () => {
  const traces = await recordTogether(3, false)
  const causes: unknown[] = []
  for (const trace of traces) {
    client.forget()
    causes.push((await replay(trace, agent)).divergences[0]?.cause)
  }
  expect(causes.filter((cause) => cause === undefined)).toHaveLength(1)
  expect(causes.filter((cause) => cause === 'unexpected-call')).toHaveLength(2)
})

it('hands on the answers of earlier runs', async () => {
  const server = await listen(async (request, response) => void response.end(`${request.url}`))
  client.forget()
  await using recorder = await startRecorder({ ambient: [new URL(server.url).host] })
  const input = { base: server.url, order: 'ord_1' }
  await recorder.record(agent, { input })
  const { trace } = await recorder.record(agent, { input })
  await server.close()
  client.forget()
  expect((await replay(trace, agent)).divergences).toEqual([])
  expect(trace.header.ambient?.answers).toHaveLength(1)
  expect((await recordRun(() => 1)).trace.header.ambient).toBeUndefined()
})
