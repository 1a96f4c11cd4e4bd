import { once } from 'node:events'
import { expect, it } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from '../support/record-run.ts'

function listenToAll(): Promise<LocalServer> {
  return listen(async (incoming, response) => {
    await once(incoming.resume(), 'end')
    response.end(incoming.url)
  })
}

async function post(url: string, body: string): Promise<string> {
  return await (await fetch(url, { method: 'POST', body })).text()
}

it('mutes the requests below a URL, and compares the rest of its host', async () => {
  await using server = await listenToAll()
  const agent = (batches: number) => async () => {
    for (let batch = 0; batch < batches; batch += 1) await post(`${server.url}/v1/usage/7?at=${batch}`, 'a batch')
    return await post(`${server.url}/v1/orders`, 'an order')
  }
  const mute = [`${server.url}/v1/usage`]
  const muted = await recordRun(agent(2), { recorder: { mute } })
  expect([muted.stats.muted, muted.trace.header.muted, muted.trace.steps.length]).toEqual([2, mute, 1])
  const loud = await recordRun(agent(2))
  expect([loud.stats.muted, loud.trace.steps.length]).toEqual([0, 3])
  for (const batches of [0, 2, 3]) {
    expect((await replay(muted.trace, agent(batches))).divergences).toEqual([])
    expect((await replay(loud.trace, agent(batches), { mute })).divergences).toEqual([])
  }
  expect((await replay(loud.trace, agent(3))).divergences[0]).toMatchObject({ cause: 'unexpected-call' })
})

it('records telemetry that the project names, and compares it', async () => {
  await using server = await listenToAll()
  const agent = (line: string) => () => post(`${server.url}/loki/api/v1/push`, JSON.stringify({ streams: [{ values: [['1', line]] }] }))
  const record = [`${server.url}/loki`]
  const { trace, stats } = await recordRun(agent('one'), { recorder: { record } })
  expect([stats.muted, trace.header.unmuted, trace.steps.length]).toEqual([0, record, 1])
  expect((await replay(trace, agent('one'))).outcome).toEqual({ status: 'returned', output: '/loki/api/v1/push' })
  expect((await replay(trace, agent('two'))).divergences[0]).toMatchObject({ cause: 'input', step: 1 })
  // A trace that was recorded without the option has no such call.
  const { trace: without } = await recordRun(() => 'done')
  const silent = await replay(without, async () => ((await agent('one')()) === '' ? 'done' : 'answered'))
  expect([silent.divergences, silent.outcome]).toEqual([[], { status: 'returned', output: 'done' }])
  expect((await replay(without, agent('one'), { record })).divergences[0]).toMatchObject({ cause: 'unexpected-call' })
})

it.each([
  ['mute', 'api.example/v1/track'],
  ['record', 'https://'],
] as const)('says what %s takes', (option, name) => {
  const message = `createRecorder: the option "${option}" takes hosts ('telemetry.example') and URLs ('https://api.example/v1/track'), got "${name}".`
  expect(() => createRecorder({ [option]: [name] })).toThrow(message)
})
