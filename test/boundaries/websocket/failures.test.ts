import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordBeside } from '../../support/record-beside.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { watch } from './client-events.ts'
import { clients } from './clients.ts'
import { echo, listen, type Listening } from './listen.ts'
import { testFailures } from './failure-cases.ts'

const few = clients.filter(([name]) => ['the ws package', 'the global WebSocket'].includes(name))

// All clients, again and again: failures.slow.test.ts.
testFailures(1, few)

it.each(clients)('replays a server that is not there for %s', async (_name, open) => {
  const server = await listen(echo)
  await server.stop()
  const agent = async (): Promise<unknown> => {
    const { events, next } = watch(open(server.url))
    await next('error')
    return events[0]
  }
  const { output, trace } = await recordBeside(agent)
  expect(output).toBe('error')
  expect(rowsOf(trace, 'note')).toEqual([])
  await expectClean(trace, agent)
})

it('refuses a connection and a message that the recording does not have', async () => {
  await using server: Listening = await listen(echo)
  const { trace } = await recordRun(async () => 'done')
  const before = server.connections
  for (const [, open] of clients) {
    const run = await replay(trace, async () => {
      const { events, next } = watch(open(server.url))
      await next('close')
      return events
    })
    expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', name: `websocket ${server.url.slice('ws://'.length)}/` })
  }
  expect(server.connections).toBe(before)
})
