import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { watch } from './client-events.ts'
import { clients } from './clients.ts'
import { echo, listen } from './listen.ts'
import { testTalks } from './client-cases.ts'

// Again and again: clients.slow.test.ts.
testTalks(1)

it.each(clients)('is red at a changed message of %s, with its step', async (_name, open) => {
  const server = await listen(echo)
  const agent = (text: string) => async (): Promise<unknown> => {
    const { client, events, next } = watch(open(`${server.url}/`))
    await next('open')
    client.send(JSON.stringify({ text: 'one' }))
    await next('message')
    client.send(JSON.stringify({ text }))
    await next('message')
    client.close(1000)
    await next('close')
    return events
  }
  const { trace } = await recordRun(agent('two'))
  await server.stop()
  const run = await replay(trace, agent('three'))
  expect(run.divergences[0]).toMatchObject({ cause: 'input', step: 3, name: `${trace.steps[0]?.name} send` })
})

it.each(clients)('is red at changed bytes of %s, whichever kind of buffer holds them', async (_name, open) => {
  const server = await listen(echo)
  const agent = (last: number) => async (): Promise<unknown> => {
    const { client, next } = watch(open(`${server.url}/`))
    await next('open')
    const bytes = new Uint8Array([1, 2, last])
    for (const data of [bytes.buffer, bytes.subarray(1), new DataView(bytes.buffer, 2)]) {
      client.send(data as never)
      await next('message')
    }
    client.close(1000)
    await next('close')
    return 'done'
  }
  const { trace } = await recordRun(agent(3))
  await server.stop()
  expect(trace.steps.map(({ input }) => input).slice(1, 4)).toEqual([[1, 2, 3], [2, 3], [3]].map((bytes) => new Uint8Array(bytes)))
  await expectClean(trace, agent(3))
  const run = await replay(trace, agent(4))
  expect(run.divergences.map(({ cause, step, consequence }) => [cause, step, consequence])[0]).toEqual(['input', 2, false])
})
