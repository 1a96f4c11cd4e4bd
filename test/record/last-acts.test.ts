import { once } from 'node:events'
import { WebSocket as WsSocket } from 'ws'
import { expect, it } from 'vitest'
import { listen as listenHttp } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { replay } from '../../src/replay/replay.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { echo, listen } from '../boundaries/websocket/listen.ts'
import { readRecording } from '../support/read-recording.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

/** Records a run with a recorder that is closed as soon as the run has ended, as in a script. */
async function recordAndClose(agent: () => Promise<unknown>): Promise<Trace> {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.path, thread: false })
  let id = ''
  await recorder.run({ agent: 'agent', input: undefined }, async () => {
    id = currentRun()?.id ?? ''
    return agent()
  })
  await recorder.close()
  return decodeTrace((await readRecording(directory.path, id)).text, 'recording', digest)
}

/** What an agent does with a connection as the last act of its run, like the clients that are named. */
const lastActs: readonly (readonly [name: string, act: (url: string, eventsUrl: string) => Promise<void>])[] = [
  [
    'a WebSocket that is closed',
    async (url) => {
      const socket = await opened(url)
      socket.close()
    },
  ],
  [
    'a WebSocket that is closed once its last message is written (socket.io)',
    async (url) => {
      const socket = await opened(url)
      socket.send('bye', () => process.nextTick(() => void Promise.resolve().then(() => socket.close())))
    },
  ],
  [
    'a WebSocket that is cut',
    async (url) => {
      const socket = await opened(url)
      socket.terminate()
    },
  ],
  [
    'a stream of events that is cancelled',
    async (_url, eventsUrl) => {
      const reader = (await fetch(eventsUrl)).body?.getReader()
      await reader?.read()
      void reader?.cancel()
    },
  ],
]

async function opened(url: string): Promise<WsSocket> {
  const socket = new WsSocket(url)
  await once(socket, 'open')
  socket.send('hello')
  await once(socket, 'message')
  return socket
}

it.each(lastActs)('replays %s as the last act of a run whose recorder is closed at once', async (_name, act) => {
  await using sockets = await listen(echo)
  await using events = await listenHttp(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n')
    return Promise.resolve()
  })
  const agent = async (): Promise<string> => act(`${sockets.url}/talk`, `${events.url}/events`).then(() => 'done')
  const trace = await recordAndClose(agent)
  const { divergences, outcome } = await replay(trace, agent)
  expect([divergences, outcome]).toEqual([[], { status: 'returned', output: 'done' }])
})
