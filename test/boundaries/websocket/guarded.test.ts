import { once } from 'node:events'
import { expect, it } from 'vitest'
import { WebSocket as WsSocket } from 'ws'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { guardOutside } from '../../../src/goldens/guard-outside.ts'
import { replay } from '../../../src/replay/replay.ts'
import { runOutside } from '../../../src/run/scope.ts'
import { recordRun } from '../../support/record-run.ts'
import { watch, type Watched } from './client-events.ts'
import { clients } from './clients.ts'
import { echo, listen } from './listen.ts'

it.each(clients)('opens %s from a recording where the process is guarded', async (_name, open) => {
  const server = await listen(echo)
  const release = installDoors()
  let shared: Watched = { client: undefined as never, events: [], next: async () => undefined }
  const connect = async (): Promise<void> => {
    shared = watch(open(server.url))
    await shared.next('open')
  }
  const agent = async (): Promise<unknown> => {
    shared.client.send('hello')
    await shared.next('message')
    return shared.events.at(-1)
  }
  await connect()
  const { trace } = await recordRun(agent)
  release()
  await server.stop()
  const before = server.connections
  const outside = guardOutside()
  outside.knows(trace)
  try {
    await runOutside(connect)
    for (let time = 0; time < 3; time += 1) {
      const run = await replay(trace, agent)
      expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'hello' }])
    }
    const closing = shared.next('close')
    runOutside(() => shared.client.close(1000))
    await closing
  } finally {
    outside.release()
  }
  expect(server.connections).toBe(before)
})

it('refuses what is opened and sent outside of runs where the process is guarded', async () => {
  const server = await listen(echo)
  const release = installDoors()
  const socket = new WsSocket(server.url)
  await once(socket, 'open')
  const outside = guardOutside()
  const before = server.connections
  try {
    const failed = await runOutside(() => new Promise((resolve) => socket.send('hello', (error) => resolve(error))))
    expect(String(failed)).toContain('refused')
    for (const [, open] of clients) {
      const watched = runOutside(() => watch(open(server.url)))
      await watched.next('error')
    }
  } finally {
    outside.release()
  }
  expect(server.connections).toBe(before)
  expect(server.heard).toEqual([])
  release()
  await server.stop()
})
