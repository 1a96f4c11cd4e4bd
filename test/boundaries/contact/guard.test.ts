import { execSync, spawn } from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { once } from 'node:events'
import http2 from 'node:http2'
import net from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { ContactRefusedError } from '../../../src/boundaries/contact/contact-refused-error.ts'
import { guardProcess } from '../../../src/boundaries/contact/guard.ts'
import type { GuardOptions } from '../../../src/boundaries/contact/guards.ts'
import type { Restore } from '../../../src/boundaries/patches.ts'
import { replay } from '../../../src/replay/replay.ts'
import { live } from '../../../src/run/live.ts'
import { recordRun } from '../../support/record-run.ts'
import { contactsIn, refusedContact } from './contact-trial.ts'
import { ask, converse, listenTcp } from './tcp-server.ts'

const guards: Restore[] = []
afterEach(() => {
  for (const release of guards.splice(0)) release()
})

/** Puts a guard on until the test ends, and tells what it refused. */
function guard(options: GuardOptions = {}): ContactRefusedError[] {
  const refused: ContactRefusedError[] = []
  guards.push(guardProcess({ ...options, onRefused: (error) => refused.push(error) }))
  return refused
}

const contacts: readonly (readonly [contact: string, make: () => Promise<unknown>])[] = [
  ['tcp 127.0.0.1:54321', () => once(net.connect(54_321, '127.0.0.1'), 'connect')],
  [
    'http2 127.0.0.1:54321',
    () => once(http2.connect('http://127.0.0.1:54321').request(), 'response').catch(({ cause }: Error) => Promise.reject(cause as Error)),
  ],
  [
    'udp 127.0.0.1:54321',
    () =>
      new Promise((resolve, reject) => {
        const socket = dgram.createSocket('udp4')
        socket.send('hello', 54_321, '127.0.0.1', (error) => {
          socket.close()
          if (error === null) resolve(undefined)
          else reject(error)
        })
      }),
  ],
  ['dns localhost', () => dns.promises.lookup('localhost')],
  ['child process git', () => once(spawn('git'), 'spawn')],
  ['child process git', async () => execSync('git --version')],
  ['worker eval', async () => new Worker('0', { eval: true })],
]

it.each(contacts)('refuses outside of every run: %s', async (contact, make) => {
  const refused = guard()
  const error: unknown = await make().then(
    () => undefined,
    (caught: unknown) => caught,
  )
  expect(ContactRefusedError.isInstance(error)).toBe(true)
  expect(refused).toEqual([error])
  expect(`${refused[0]?.door} ${refused[0]?.host} ${refused[0]?.site?.file}`).toBe(`${contact} test/boundaries/contact/guard.test.ts`)
})

it('refuses HTTP, also over connections that were opened before', async () => {
  await using server = await listen(async (_request, response) => void response.end('hello'))
  await (await fetch(server.url)).text()
  const refused = guard()
  for (let tries = 0; tries < 2; tries += 1) await expect(fetch(server.url)).rejects.toThrow('fetch failed')
  expect(refused.map(({ door, host }) => `${door} ${host}`)).toEqual([`tcp 127.0.0.1:${server.port}`, `tcp 127.0.0.1:${server.port}`])
})

it('refuses what is written to a socket that was opened before', async () => {
  await using server = await listenTcp()
  const socket = net.connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  const refused = guard()
  const failed = once(socket, 'error')
  failed.catch(() => undefined)
  socket.write('hello')
  await expect(ask(socket, 'hello')).rejects.toThrow('The guard refused to contact 127.0.0.1')
  expect([refused.length > 0, server.heard]).toEqual([true, ''])
})

it('lets hosts pass that are declared live, with all that belongs to reaching them', async () => {
  await using server = await listenTcp()
  const refused = guard({ live: ['localhost'] })
  expect(await converse(net.connect(server.port, 'localhost'), 'hello')).toBe('hello')
  await expect(dns.promises.lookup('db.internal')).rejects.toThrow('The guard refused to contact db.internal (dns)')
  expect(refused).toHaveLength(1)
})

it('lets a contact pass only where every guard does', async () => {
  await using server = await listenTcp()
  const lax = guard({ live: ['localhost'] })
  const strict = guard()
  await expect(converse(net.connect(server.port, '127.0.0.1'), 'hello')).rejects.toThrow('The guard refused')
  expect([lax.length, strict.length]).toEqual([0, 1])
  guards.pop()?.()
  expect(await converse(net.connect(server.port, '127.0.0.1'), 'hello')).toBe('hello')
})

it('leaves a recorded run to its trace, a replay to its verdict, and what is live to itself', async () => {
  await using server = await listenTcp()
  await using web = await listen(async (_request, response) => void response.end('fetched'))
  const refused = guard()
  const greet = (): Promise<string> => converse(net.connect(server.port, '127.0.0.1'), 'hello')
  const agent = async (): Promise<string[]> => [await (await fetch(web.url)).text(), await live('it may', greet)]
  const { output, trace } = await recordRun(agent)
  expect([output, contactsIn(trace)]).toEqual([['fetched', 'hello'], []])
  const run = await replay(trace, agent)
  expect([run.outcome, run.divergences]).toEqual([{ status: 'returned', output }, []])
  expect(refusedContact(await replay(trace, greet))).toBe(`tcp 127.0.0.1:${server.port}`)
  expect(refused).toEqual([])
})

it('lets a server answer, and refuses who calls it', async () => {
  await using server = await listenTcp((socket) => socket.end('hello'))
  const calls = net.connect(server.port, '127.0.0.1')
  const refused = guard()
  let heard = ''
  for await (const piece of calls) heard += String(piece)
  expect([heard, refused]).toEqual(['hello', []])
})

it('is off when it is taken off, once for all', async () => {
  await using server = await listenTcp()
  const release = guardProcess()
  const other = guardProcess({ live: ['localhost'] })
  release()
  release()
  expect(await converse(net.connect(server.port, '127.0.0.1'), 'hello')).toBe('hello')
  other()
  await expect(dns.promises.lookup('127.0.0.1')).resolves.toEqual({ address: '127.0.0.1', family: 4 })
})
