import { once } from 'node:events'
import http from 'node:http'
import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { live } from '../../../src/run/live.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { contactsIn, refusedContact } from './contact-trial.ts'
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
  const run = await replay(trace, async () => (refused = await watch(`${server.host}/other`)))
  expect(run.divergences[0]).toMatchObject({ name: `websocket ${server.host}/other/` })
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
  const name = `websocket ${server.host}/`
  expect([output, trace.steps.map((step) => step.name)]).toEqual(['HELLO', [name, `${name} send`, 'look', `${name} close`]])
  expect(contactsIn(trace)).toEqual([])
})

it('meets what is sent over a WebSocket that was opened before, by another run, or before the doors were open', async () => {
  await using server = await listenWebSocket()
  const outside = await opened(server.host)
  const before = await recordRun(async () => askSocket(outside, 'one'))
  expect([before.output, contactsIn(before.trace)]).toEqual(['one', [`tcp ${server.host}`]])

  const sockets: WebSocket[] = []
  await recordRun(async () => void sockets.push(await opened(server.host)))
  const shared = sockets[0] ?? outside
  const { output, trace } = await recordRun(async () => askSocket(shared, 'two'))
  expect([output, contactsIn(trace), trace.steps.map(({ name }) => name)]).toEqual(['two', [], [`websocket ${server.host}/ send`]])

  const run = await replay(trace, () => askSocket(shared, 'three'))
  expect(run.divergences[0]).toMatchObject({ cause: 'input', name: `websocket ${server.host}/ send` })
  const unknown = await replay(
    before.trace,
    () =>
      new Promise((resolve) => {
        outside.addEventListener('close', resolve)
        outside.send('three')
      }),
  )
  expect(refusedContact(unknown)).toBe(`tcp ${server.host}`)
  expect(server.heard).toEqual(['one', 'two'])
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
  const { output, trace } = await recordRun(agent)
  expect([output, contactsIn(trace)]).toEqual(['101 hello', []])
  const name = `websocket ${server.host}/`
  expect(trace.steps.map((step) => step.name)).toEqual([name, `${name} send`, 'look', `${name} terminate`])
  await expectClean(trace, agent)
})
