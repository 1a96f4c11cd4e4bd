import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
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
