import dgram, { type Socket } from 'node:dgram'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { contactsIn, refusedContact, tryContact } from './contact-trial.ts'

/** Opens a socket, and closes it when its scope ends. */
function open(): Socket & Disposable {
  const socket = dgram.createSocket('udp4')
  return Object.assign(socket, { [Symbol.dispose]: () => socket.close() })
}

/** A socket on loopback that says what it hears. */
async function listenUdp(): Promise<{ readonly port: number; readonly heard: readonly string[] } & AsyncDisposable> {
  const socket = dgram.createSocket('udp4')
  const heard: string[] = []
  socket.on('message', (message, { port, address }) => {
    heard.push(String(message))
    socket.send(message, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    heard,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

it('meets a datagram in every form of send', async () => {
  await using server = await listenUdp()
  const { port } = server
  const forms: ((socket: Socket, done: (error: Error | null) => void) => void)[] = [
    (socket, done) => socket.send('hello', port, '127.0.0.1', done),
    (socket, done) => socket.send('hello', port, done),
    (socket, done) => socket.send(['he', 'llo'], port, '127.0.0.1', done),
    (socket, done) => socket.send(Buffer.from('-hello-'), 1, 5, port, '127.0.0.1', done),
    (socket, done) => socket.send(Buffer.from('-hello-'), 1, 5, port, done),
  ]
  for (const send of forms) {
    const agent = async (): Promise<string> => {
      using socket = open()
      const answer = once(socket, 'message')
      answer.catch(() => undefined)
      await new Promise<void>((resolve, reject) => send(socket, (error) => (error === null ? resolve() : reject(error))))
      return String((await answer)[0])
    }
    expect(await tryContact(agent, 'hello')).toBe(`udp 127.0.0.1:${port}`)
  }
  expect(server.heard).toHaveLength(4 * forms.length)
})

it('meets a datagram without a callback: the socket tells', async () => {
  await using server = await listenUdp()
  const agent = async (): Promise<string> => {
    using socket = open()
    socket.send('hello', server.port, '127.0.0.1')
    return String((await once(socket, 'message'))[0])
  }
  expect(await tryContact(agent, 'hello')).toBe(`udp 127.0.0.1:${server.port}`)
})

it('meets a socket that is connected, and its datagrams as the same contact', async () => {
  await using server = await listenUdp()
  const agent = async (): Promise<string> => {
    using socket = open()
    await new Promise<void>((resolve, reject) => {
      socket.connect(server.port, '127.0.0.1', ((error?: Error) => (error === undefined ? resolve() : reject(error))) as () => void)
    })
    socket.send('hello')
    return String((await once(socket, 'message'))[0])
  }
  expect(await tryContact(agent, 'hello')).toBe(`udp 127.0.0.1:${server.port}`)
})

it('meets a socket that is bound', async () => {
  const binds: ((socket: Socket) => void)[] = [
    (socket) => socket.bind(0, '127.0.0.1'),
    (socket) => socket.bind({ port: 0, address: '127.0.0.1' }),
  ]
  for (const bind of binds) {
    const agent = async (): Promise<string> => {
      using socket = open()
      bind(socket)
      await once(socket, 'listening')
      return socket.address().address
    }
    expect(await tryContact(agent, '127.0.0.1')).toBe('udp 127.0.0.1:0 (bound)')
  }
})

it('meets datagrams of a socket that was opened before', async () => {
  await using server = await listenUdp()
  using socket = open()
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const agent = async (): Promise<string> => {
    const answer = once(socket, 'message')
    socket.send('hello', server.port, '127.0.0.1')
    return String((await answer)[0])
  }
  const contact = `udp 127.0.0.1:${server.port}`
  const { output, trace } = await recordRun(agent)
  expect([output, contactsIn(trace)]).toEqual(['hello', [contact]])
  expect(refusedContact(await replay(trace, agent))).toBe(contact)
  expect(server.heard).toEqual(['hello'])
})
