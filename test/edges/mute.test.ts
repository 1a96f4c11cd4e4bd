import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { httpRequest } from '../support/http-request.ts'
import { recordRun } from '../support/record-run.ts'

const look = tool('look', {}, async (order: string) => order)

/** An agent that reports what it does, in batches of its own liking. */
function createAgent(url: string, batches: number): () => Promise<string> {
  return async () => {
    for (let batch = 0; batch < batches; batch += 1) {
      const response = await fetch(`${url}/v1/spans`, { method: 'POST', body: `batch ${batch} of ${batches}` })
      await response.text()
      await httpRequest(`${url}/v1/logs`, { method: 'POST', body: [`batch ${batch} of ${batches}`] })
    }
    return await look('ord_1')
  }
}

it('neither records nor compares telemetry, however it batches', async () => {
  let received = 0
  const server = await listen(async (_request, response) => void response.end(`${(received += 1)}`))
  const { host } = new URL(server.url)
  const loud = await recordRun(createAgent(server.url, 2))
  const muted = await recordRun(createAgent(server.url, 2), { recorder: { mute: [host] } })
  await server.close()
  expect([received, loud.trace.steps.length]).toEqual([8, 5])
  expect(muted.trace.steps.map(({ name }) => name)).toEqual(['look'])

  // Without it, another batch is a red that says nothing of the agent.
  expect((await replay(loud.trace, createAgent(server.url, 3))).divergences[0]).toMatchObject({ name: host })
  expect((await replay(loud.trace, createAgent(server.url, 1))).divergences[0]).toMatchObject({ name: host })
  for (const batches of [0, 1, 2, 3]) {
    const run = await replay(muted.trace, createAgent(server.url, batches))
    expect([run.divergences, run.outcome, run.hash]).toEqual([[], { status: 'returned', output: 'ord_1' }, muted.trace.hash])
    const old = await replay(loud.trace, createAgent(server.url, batches), { mute: [host] })
    expect([old.divergences, old.outcome]).toEqual([[], { status: 'returned', output: 'ord_1' }])
  }
  expect(received).toBe(8)
})

it('answers telemetry with success, whatever asks', async () => {
  const { trace } = await recordRun(() => 'done')
  const seen: unknown[] = []
  const run = await replay(trace, async () => {
    const response = await fetch('https://o1.ingest.sentry.io/api/1/envelope/', { method: 'POST', body: 'an event' })
    seen.push([response.status, await response.text()])
    return 'done'
  })
  expect([run.divergences, seen]).toEqual([[], [[200, '']]])
})

it('hides no call to any other host', async () => {
  const { trace } = await recordRun(() => 'done')
  const run = await replay(trace, () => fetch('http://127.0.0.1:4999/else').catch(() => 'done'), { mute: ['127.0.0.1:8'] })
  expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', name: '127.0.0.1:4999' })
})
