import { once } from 'node:events'
import http from 'node:http'
import type { Socket } from 'node:net'
import undici from 'undici'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { live } from '../../../src/run/live.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordBeside } from '../../support/record-beside.ts'
import { recordRun } from '../../support/record-run.ts'
import { contactsIn, refusedContact, tryContact } from './contact-trial.ts'
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
  const agent = async (): Promise<string[]> => {
    const socket = await opened(server.host)
    const answers = [await askSocket(socket, 'one'), await askSocket(socket, 'two')]
    await closed(socket)
    return answers
  }
  expect((await recordBeside(agent)).output).toEqual(['one', 'two'])
  const { trace } = await recordRun(agent)
  expect([contactsIn(trace), trace.steps]).toEqual([[`websocket ${server.host}`], []])
  const before = server.connections
  expect(refusedContact(await replay(trace, agent))).toBe(`websocket ${server.host}`)
  expect(server.connections).toBe(before)
})

it("meets undici's WebSocket, whose dispatchers lead to one another, as one contact", async () => {
  await using server = await listenWebSocket()
  const { trace } = await recordRun(async () => {
    const socket = new undici.WebSocket(`ws://${server.host}/`)
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    socket.close()
  })
  expect([contactsIn(trace), trace.steps]).toEqual([[`websocket ${server.host}`], []])
})

it('fails as a WebSocket does in life', async () => {
  const watch = async (host: string): Promise<unknown[]> => {
    const events: unknown[] = []
    const socket = new WebSocket(`ws://${host}/`)
    for (const event of ['open', 'message', 'close']) socket.addEventListener(event, () => events.push(event))
    await new Promise<void>((resolve) => {
      socket.addEventListener('error', (event) => {
        events.push('error', (event as ErrorEvent).message)
        resolve()
      })
    })
    await new Promise((resolve) => setImmediate(resolve))
    return [...events, socket.readyState]
  }
  const server = await listenWebSocket()
  const { trace } = await recordRun(() => opened(server.host))
  let refused: unknown
  expect(refusedContact(await replay(trace, async () => (refused = await watch(server.host))))).toBe(`websocket ${server.host}`)
  await server[Symbol.asyncDispose]()
  expect(refused).toEqual(await watch(server.host))
})

it('lets a WebSocket be live', async () => {
  await using server = await listenWebSocket()
  const agent = (): Promise<string> =>
    live('it may', async () => {
      const socket = await opened(server.host)
      const answer = await askSocket(socket, 'hello')
      await closed(socket)
      return answer
    })
  const { output, trace } = await recordRun(agent)
  expect([output, contactsIn(trace)]).toEqual(['hello', []])
  const run = await replay(trace, agent)
  expect([run.outcome, run.divergences]).toEqual([{ status: 'returned', output: 'hello' }, []])
})

it('keeps the listeners of a WebSocket in their run, whoever opened its connection', async () => {
  await using server = await listenWebSocket()
  // A connection that is there already, and may be used again.
  await (await fetch(`http://${server.host}/`)).text()
  const look = tool('look', {}, (text: string) => text.toUpperCase())
  const { output, trace } = await recordRun(async () => {
    const socket = await opened(server.host)
    const found = new Promise<string>((resolve) => socket.addEventListener('message', ({ data }) => resolve(look(String(data)))))
    socket.send('hello')
    const looked = await found
    await closed(socket)
    return looked
  })
  expect([output, trace.steps.map(({ name }) => name), contactsIn(trace)]).toEqual(['HELLO', ['look'], [`websocket ${server.host}`]])
})

it('meets what is sent over a WebSocket that was opened before, by another run or by none', async () => {
  await using server = await listenWebSocket()
  const outside = await opened(server.host)
  const before = await recordRun(async () => askSocket(outside, 'one'))
  expect([before.output, contactsIn(before.trace)]).toEqual(['one', [`tcp ${server.host}`]])

  const sockets: WebSocket[] = []
  await recordRun(async () => void sockets.push(await opened(server.host)))
  const shared = sockets[0] ?? outside
  const { output, trace } = await recordRun(async () => askSocket(shared, 'two'))
  expect([output, contactsIn(trace)]).toEqual(['two', [`websocket ${server.host}`]])

  const run = await replay(
    trace,
    () =>
      new Promise((resolve) => {
        shared.addEventListener('close', resolve)
        shared.send('three')
      }),
  )
  expect(refusedContact(run)).toBe(`websocket ${server.host}`)
  expect(server.heard).toEqual(['one', 'two'])
  await closed(outside)
})

it('meets a WebSocket over http.request, as the ws package makes it', async () => {
  await using server = await listenWebSocket()
  const look = tool('look', {}, (text: string) => text)
  const agent = async (): Promise<string> => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'sec-websocket-version': '13',
    }
    const request = http.get({ host: '127.0.0.1', port: Number(server.host.split(':')[1]), headers })
    const [answer, socket] = (await once(request, 'upgrade')) as [{ statusCode: number }, Socket]
    // A frame with an empty mask.
    socket.write(Buffer.concat([Buffer.from([0x81, 0x85, 0, 0, 0, 0]), Buffer.from('hello')]))
    const text = await new Promise<string>((resolve) => socket.on('data', (frame: Buffer) => resolve(look(String(frame.subarray(2))))))
    socket.destroy()
    return `${answer.statusCode} ${text}`
  }
  expect(await tryContact(agent, '101 hello')).toBe(`websocket ${server.host}`)
  const { trace } = await recordRun(agent)
  expect(trace.steps.map(({ name }) => name)).toEqual(['look'])
})
