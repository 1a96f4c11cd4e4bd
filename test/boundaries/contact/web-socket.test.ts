import { once } from 'node:events'
import http from 'node:http'
import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { contactsIn, expectRefusal, tryContact } from './contact-trial.ts'
import { listenWebSocket } from './web-socket-server.ts'

function opened(host: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${host}/`)
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(socket))
    socket.addEventListener('error', (event) => reject((event as ErrorEvent).error as Error))
  })
}

function askSocket(socket: WebSocket, text: string): Promise<string> {
  return new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => resolve(String(data)), { once: true })
    socket.send(text)
  })
}

function closed(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => {
    socket.addEventListener('close', ({ code }) => resolve(code))
    socket.close(1000)
  })
}

it('meets the global WebSocket', async () => {
  await using server = await listenWebSocket()
  // What a client says of a connection that could not be made differs between releases of Node.
  const { output, trace } = await recordRun(async () => {
    const socket = await opened(server.host)
    const answers = [await askSocket(socket, 'one'), await askSocket(socket, 'two')]
    await closed(socket)
    return answers
  })
  expect([output, contactsIn(trace), trace.steps]).toEqual([['one', 'two'], [`websocket ${server.host}`], []])

  const events: string[] = []
  const run = await replay(trace, async () => {
    const socket = new WebSocket(`ws://${server.host}/`)
    for (const event of ['open', 'message', 'error', 'close']) socket.addEventListener(event, () => events.push(event))
    await new Promise((resolve) => socket.addEventListener('close', resolve))
    return socket.readyState
  })
  expectRefusal(run, `websocket ${server.host}`)
  expect([events, server.connections]).toEqual([['error', 'close'], 1])
})
