import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http, { Agent } from 'node:http'
import net, { type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { peerOf } from '../../../src/boundaries/contact/contact.ts'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { external } from '../../../src/run/external.ts'
import { live } from '../../../src/run/live.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { contactsIn, refusedContact, replayCatching } from './contact-trial.ts'
import { ask, listenTcp } from './tcp-server.ts'

async function connected(port: number): Promise<Socket> {
  const socket = net.connect(port, 'localhost')
  await once(socket, 'connect')
  return socket
}

it('meets what is written to a socket that was opened before', async () => {
  await using server = await listenTcp()
  const socket = await connected(server.port)
  const contact = `tcp localhost:${server.port}`
  const agent = async (): Promise<string[]> => [await ask(socket, 'one'), await ask(socket, 'two')]
  const { output, trace } = await recordRun(agent)
  expect([output, contactsIn(trace)]).toEqual([['one', 'two'], [contact]])

  const { run, error } = await replayCatching(trace, () => ask(socket, 'three'))
  expect(refusedContact(run)).toBe(contact)
  expect([error, socket.destroyed, server.heard]).toEqual([socket.errored, true, 'onetwo'])
})

it('names the other end of a socket while it is open', async () => {
  await using server = await listenTcp()
  const [open, closed] = [await connected(server.port), await connected(server.port)]
  expect(peerOf(open)).toBe(`localhost:${server.port}`)
  // Node keeps the port where it was asked for it before.
  for (const socket of [open, closed]) await new Promise((resolve) => socket.destroy().once('close', resolve))
  expect(peerOf(closed)).toBeUndefined()
})

it('meets a connection that is still being made when the run begins', async () => {
  await using server = await listenTcp()
  for (const doors of [() => () => undefined, installDoors]) {
    const release = doors()
    const socket = net.connect(server.port, 'localhost')
    const { output, trace } = await recordRun(() => ask(socket, 'hello'))
    expect([output, contactsIn(trace)]).toEqual(['hello', [`tcp localhost:${server.port}`]])
    release()
    socket.destroy()
  }
})

it('meets nothing of a socket that runs share, where it is used in a step or declared live', async () => {
  await using server = await listenTcp()
  const socket = await connected(server.port)
  const query = external('query', (text: string) => ask(socket, text))
  const agent = async (): Promise<string[]> => [await query('step'), await live('it may', () => ask(socket, 'live'))]
  const { output, trace } = await recordRun(agent)
  expect([output, contactsIn(trace)]).toEqual([['step', 'live'], []])
  const run = await replay(trace, agent)
  expect([run.outcome, run.divergences, server.heard]).toEqual([{ status: 'returned', output }, [], 'steplivelive'])
  socket.destroy()
})

it('lets a run write on to a socket that it opened live, and no other run', async () => {
  await using server = await listenTcp()
  const pool: Socket[] = []
  const agent = async (): Promise<string> => ask((pool[0] ??= await live('it may', () => connected(server.port))), 'hello')
  const { output, trace } = await recordRun(agent)
  expect([output, contactsIn(trace)]).toEqual(['hello', []])
  expect(refusedContact(await replay(trace, agent))).toBe(`tcp localhost:${server.port}`)
  pool.length = 0
  const run = await replay(trace, agent)
  expect([run.outcome, run.divergences]).toEqual([{ status: 'returned', output }, []])
  pool[0]?.destroy()
})

it("meets what is written to a child's input that was spawned before", async () => {
  for (const [doors, contact] of [
    [() => () => undefined, 'socket opened before the run'],
    [installDoors, 'child process node'],
  ] as const) {
    const release = doors()
    const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'])
    const askChild = async (text: string): Promise<string> => {
      const answer = once(child.stdout, 'data')
      child.stdin.write(text)
      return String(await answer)
    }
    const { output, trace } = await recordRun(() => askChild('hello'))
    expect([output, contactsIn(trace)]).toEqual(['hello', [contact]])
    child.stdin.on('error', () => undefined)
    expect(refusedContact(await replay(trace, () => askChild('again')))).toBe(contact)
    child.kill()
    release()
  }
})

it('meets nothing of HTTP over connections that are kept alive, however they were opened', async () => {
  await using server = await listen(async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    response.end(body)
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const post = (...pieces: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = http.request(server.url, { method: 'POST', agent }, (response) => {
        let body = ''
        response.on('data', (piece) => (body += String(piece))).on('end', () => resolve(body))
      })
      request.on('error', reject)
      const writeNext = (): void => {
        const piece = pieces.shift()
        if (piece === undefined) request.end()
        else request.write(piece, () => setImmediate(writeNext))
      }
      // The connection is there before anything is written.
      request.on('socket', () => setImmediate(writeNext))
    })
  const fetchText = async (): Promise<string> => (await fetch(server.url, { method: 'POST', body: 'fetched' })).text()
  const exchange = (): Promise<string[]> => Promise.all([post('a', 'b'), post('c'), fetchText(), post('d', 'e', 'f')])

  expect(await exchange()).toEqual(['ab', 'c', 'fetched', 'def'])
  for (let round = 0; round < 3; round += 1) {
    const { output, trace } = await recordRun(async () => [...(await exchange()), ...(await exchange())])
    expect(output).toEqual(['ab', 'c', 'fetched', 'def', 'ab', 'c', 'fetched', 'def'])
    // The same is posted twice, which is noted.
    expect(rowsOf(trace, 'note').filter(({ what }) => what === 'unrecorded-contact')).toEqual([])
  }
  agent.destroy()
})

it('meets nothing of an answer that a run writes to whoever called it', async () => {
  await using server = await listen(async (_request, response) => {
    const { trace } = await recordRun(async () => {
      response.write('one ')
      await fetch('data:,')
      response.write('two ')
    })
    response.end(JSON.stringify(rowsOf(trace, 'note')))
  })
  expect(await (await fetch(server.url)).text()).toBe('one two []')
})
