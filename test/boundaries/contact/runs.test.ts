import { spawn, spawnSync } from 'node:child_process'
import dns from 'node:dns'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { ContactRefusedError } from '../../../src/boundaries/contact/contact-refused-error.ts'
import { replay } from '../../../src/replay/replay.ts'
import { fork } from '../../../src/travel/fork.ts'
import { external } from '../../../src/run/external.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { contactsIn, refusedContact, tryContact } from './contact-trial.ts'
import { converse, listenTcp, type TcpServer } from './tcp-server.ts'

function greet(server: Pick<TcpServer, 'port'>): Promise<string> {
  return converse(net.connect(server.port, '127.0.0.1'), 'hello')
}

/** Opens a connection, which no boundary answers. */
function connect(host: string): Promise<unknown> {
  return once(net.connect(1, host), 'connect')
}

it('notes nothing of what a step does in its body: a replay answers the step', async () => {
  await using server = await listenTcp()
  const query = external('query', () => greet(server))
  const look = tool('look', {}, async () => [await greet(server), await dns.promises.lookup('localhost', { family: 4 })])
  const agent = async (): Promise<unknown> => [await query(), await look()]
  const { output, trace } = await recordRun(agent)
  expect([output, contactsIn(trace)]).toEqual([['hello', ['hello', { address: '127.0.0.1', family: 4 }]], []])
  const run = await replay(trace, agent)
  expect([run.outcome, run.divergences, server.connections]).toEqual([{ status: 'returned', output }, [], 2])
})

it('refuses what a tool does whose function runs in the replay', async () => {
  await using server = await listenTcp()
  const look = tool('look', {}, () => greet(server))
  const { trace } = await recordRun(() => look())
  expect(refusedContact(await replay(trace, () => look(), { tools: { look: 'run' } }))).toBe(`tcp 127.0.0.1:${server.port}`)
  expect(server.connections).toBe(1)
})

it('stops the replay at the first contact, and has it alone for its verdict', async () => {
  const { trace } = await recordRun(async () => 'done')
  const run = await replay(trace, async () => {
    await connect('one.internal').catch(() => undefined)
    await connect('two.internal').catch(() => undefined)
    return 'done'
  })
  expect(refusedContact(run)).toBe('tcp one.internal:1')
})

it('reports each host once and continues when the replay is told to', async () => {
  const look = tool('look', {}, async () => 'seen')
  const { trace } = await recordRun(async () => look())
  const run = await replay(
    trace,
    async () => {
      for (const host of ['one.internal', 'two.internal', 'one.internal']) await connect(host).catch(() => undefined)
      return look()
    },
    { onDivergence: 'continue' },
  )
  expect(run.divergences).toMatchObject([
    { cause: 'unrecorded-contact', name: 'tcp one.internal:1', step: 0, position: 'after', consequence: false },
    { cause: 'unrecorded-contact', name: 'tcp two.internal:1', step: 0, position: 'after', consequence: true },
  ])
  expect(run.outcome).toEqual({ status: 'returned', output: 'seen' })
})

it('refuses in a later turn of the event loop', async () => {
  const { trace } = await recordRun(async () => 'done')
  const events: string[] = []
  await replay(trace, async () => {
    const refused = connect('one.internal').catch(() => events.push('refused'))
    for (let microtask = 0; microtask < 100; microtask += 1) await Promise.resolve()
    events.push('a hundred microtasks')
    await refused
  })
  expect(events).toEqual(['a hundred microtasks', 'refused'])
})

it('does not take an agent for stuck that is refused time and again', async () => {
  const look = tool('look', {}, async () => 'seen')
  const { trace } = await recordRun(async () => look())
  const agent = async (): Promise<unknown> => {
    for (let tries = 0; tries < 20; tries += 1) await connect('one.internal').catch(() => undefined)
    return look()
  }
  const run = await replay(trace, agent, { onDivergence: 'continue' })
  expect([run.outcome, run.divergences.length]).toEqual([{ status: 'returned', output: 'seen' }, 1])
})

it('stops a fork at a contact, as at every call without an answer', async () => {
  const { trace } = await recordRun(async () => 'done')
  expect(refusedContact(await fork(trace, async () => connect('one.internal').catch(() => 'done')))).toBe('tcp one.internal:1')
})

const attempts: readonly (readonly [what: string, attempt: () => Promise<unknown>])[] = [
  ['a look-up', () => dns.promises.lookup('one.internal')],
  ['a connection', () => once(net.connect(1, '127.0.0.1'), 'connect')],
  ['a child', () => once(spawn('git'), 'spawn')],
  ['a WebSocket', () => new Promise((_resolve, reject) => new WebSocket('ws://127.0.0.1:54321/').addEventListener('error', reject))],
]

it.each(attempts)('ends with an agent that tries %s for ever', async (what, attempt) => {
  const { trace } = await recordRun(async () => 'done')
  for (const onDivergence of ['stop', 'continue'] as const) {
    let tries = 0
    const run = await replay(
      trace,
      async () => {
        for (;;) {
          tries += 1
          try {
            await attempt()
          } catch {}
        }
      },
      { onDivergence },
    )
    // A process is a call, and so are a connection of a WebSocket and a look-up.
    expect(run.divergences[0]?.cause).toBe(
      ['a look-up', 'a child', 'a WebSocket'].includes(what) ? 'unexpected-call' : 'unrecorded-contact',
    )
    expect(tries).toBeLessThanOrEqual(51)
  }
})

it('throws when a door cannot report an error later', async () => {
  const { trace } = await recordRun(async () => 'done')
  const throwing = [() => new Worker('worker.js'), () => spawnSync('git').error]
  for (const attempt of throwing) {
    let caught: unknown
    const run = await replay(trace, async () => {
      try {
        caught = attempt()
      } catch (error) {
        caught = error
      }
      return 'done'
    })
    expect(ContactRefusedError.isInstance(caught)).toBe(true)
    // A process is a call; a worker is none.
    expect(['unrecorded-contact', 'unexpected-call']).toContain(run.divergences[0]?.cause)
  }
})

it('meets HTTP over a connection that a program makes itself, past every agent', async () => {
  await using server = await listen(async (_request, response) => void response.end('hello'))
  const agent = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const createConnection = (): net.Socket => net.connect(server.port, '127.0.0.1')
      const request = http.get(server.url, { createConnection }, (response) => response.on('data', (piece) => resolve(String(piece))))
      request.on('error', reject)
    })
  expect(await tryContact(agent, 'hello')).toBe(`tcp 127.0.0.1:${server.port}`)
})

it('keeps the contacts of runs apart that run at once', async () => {
  await using one = await listenTcp()
  await using other = await listenTcp()
  const runs = Array.from({ length: 20 }, (_, index) => recordRun(() => greet(index % 2 === 0 ? one : other)))
  for (const [index, { trace }] of (await Promise.all(runs)).entries()) {
    expect(contactsIn(trace)).toEqual([`tcp 127.0.0.1:${(index % 2 === 0 ? one : other).port}`])
  }
  const { trace } = await recordRun(async () => 'hello')
  // What runs beside a replay, outside of it, is none of its business.
  const [replayed, beside] = await Promise.all([replay(trace, () => greet(one)), greet(other), recordRun(() => greet(other))])
  expect(refusedContact(replayed)).toBe(`tcp 127.0.0.1:${one.port}`)
  expect(beside).toBe('hello')
})
