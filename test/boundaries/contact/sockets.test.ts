import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { contactsIn, refusedContact, tryContact } from './contact-trial.ts'
import { converse, hear, listenTcp, listenWith } from './tcp-server.ts'

it('meets TCP', async () => {
  await using server = await listenTcp()
  const agent = (): Promise<string> => converse(net.connect(server.port, '127.0.0.1'), 'hello')
  expect(await tryContact(agent, 'hello')).toBe(`tcp 127.0.0.1:${server.port}`)
  // Outside of a run, recorded, and twice live.
  expect([server.connections, server.heard]).toEqual([4, 'hello'.repeat(4)])
})

it('meets a connection to a name, which is looked up, as one contact', async () => {
  await using server = await listenTcp()
  const agent = (): Promise<string> => converse(net.connect({ port: server.port, host: 'localhost', autoSelectFamily: true }), 'hello')
  expect(await tryContact(agent, 'hello')).toBe(`tcp localhost:${server.port}`)
})

it('meets a server that speaks first before it can be heard', async () => {
  await using server = await listenTcp((socket) => socket.end('220 ready'))
  const agent = (): Promise<string> => hear(net.connect(server.port, '127.0.0.1'))
  expect(await tryContact(agent, '220 ready')).toBe(`tcp 127.0.0.1:${server.port}`)
  expect(server.connections).toBe(4)
})

it('meets a unix socket', async () => {
  await using directory = await createTemporaryDirectory()
  const path = directory.resolve('echo.sock')
  await using server = await listenTcp(undefined, path)
  expect(await tryContact(() => converse(net.connect(path), 'hello'), 'hello')).toBe(`unix socket ${path}`)
  expect(server.connections).toBe(4)
})

it('meets TLS', async () => {
  // A key that both know takes the place of a certificate.
  const psk = Buffer.alloc(32, 7)
  const ciphers = 'PSK-AES128-GCM-SHA256'
  const secure = { ciphers, maxVersion: 'TLSv1.2' } as const
  await using server = await listenWith(tls.createServer({ ...secure, pskCallback: () => psk }), 'secureConnection')
  const agent = (): Promise<string> => {
    const options = { ...secure, host: '127.0.0.1', port: server.port, checkServerIdentity: () => undefined }
    return converse(tls.connect({ ...options, pskCallback: () => ({ psk, identity: 'agent' }) }), 'hello')
  }
  expect(await tryContact(agent, 'hello')).toBe(`tls 127.0.0.1:${server.port}`)
})

it('keeps the listeners of a socket in their run', async () => {
  await using server = await listenTcp()
  const look = tool('look', {}, (text: string) => text.toUpperCase())
  const { output, trace } = await recordRun(async () => {
    const socket = net.connect(server.port, '127.0.0.1')
    const found = Promise.withResolvers<string>()
    socket.on('connect', () => socket.write('hello'))
    socket.on('data', (piece) => found.resolve(look(String(piece))))
    const looked = await found.promise
    socket.destroy()
    return looked
  })
  expect([output, trace.steps.map(({ name }) => name), contactsIn(trace)]).toEqual(['HELLO', ['look'], [`tcp 127.0.0.1:${server.port}`]])
})

it('notes each host once, with the line that met it first', async () => {
  await using one = await listenTcp()
  await using other = await listenTcp()
  const { trace } = await recordRun(async () => {
    for (const { port } of [one, other, one]) await converse(net.connect(port, '127.0.0.1'), 'hello')
  })
  const line = Number(new Error('here').stack?.split('\n')[1]?.match(/:(\d+):\d+\)?$/)?.[1]) - 2
  const at = new RegExp(`^tcp 127\\.0\\.0\\.1:\\d+ at test/boundaries/contact/sockets\\.test\\.ts:${line}:\\d+$`)
  expect(rowsOf(trace, 'note')).toMatchObject(
    [one, other].map(() => ({ what: 'unrecorded-contact', where: expect.stringMatching(at) as string })),
  )
  expect(contactsIn(trace)).toEqual([`tcp 127.0.0.1:${one.port}`, `tcp 127.0.0.1:${other.port}`])
})

it('fails as a connection does in life', async () => {
  const server = await listenTcp()
  const { port } = server
  const { trace } = await recordRun(() => converse(net.connect(port, '127.0.0.1'), 'hello'))
  const heard = server.connections
  const watch = async (): Promise<unknown[]> => {
    const events: unknown[] = []
    const socket = net.connect(port, '127.0.0.1', () => events.push('called back'))
    for (const event of ['connect', 'ready', 'error', 'end', 'close']) socket.on(event, () => events.push(event))
    events.push(socket.connecting, socket.readyState)
    socket.write('hello', (error) => events.push(error?.message))
    await once(socket, 'close').catch(() => once(socket, 'close'))
    return [...events, socket.destroyed, socket.connecting, socket.readyState]
  }
  let refused: unknown
  expect(refusedContact(await replay(trace, async () => (refused = await watch())))).toBe(`tcp 127.0.0.1:${port}`)
  expect(server.connections).toBe(heard)
  await server[Symbol.asyncDispose]()
  expect(refused).toEqual(await watch())
})

it("leaves to Node what can't be connected to", async () => {
  const { output, trace } = await recordRun(async () => {
    try {
      Reflect.apply(net.connect, net, [{}])
    } catch (error) {
      return (error as { code: string }).code
    }
  })
  expect([output, contactsIn(trace)]).toEqual(['ERR_MISSING_ARGS', []])
})
