import crypto from 'node:crypto'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import net from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { realTimers } from '../../src/node/real-timers.ts'
import { renderReport } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import { watchOwnWork, type WorkStart } from '../../src/replay/engine/own-work.ts'
import type { ActiveRun } from '../../src/run/active-run.ts'
import { external } from '../../src/run/external.ts'
import { runInScope } from '../../src/run/scope.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { expectNotStuck, expectWaitedFor, file, look, work, worker } from './own-works.ts'

afterAll(() => worker.terminate())

/** Of each kind of work one that is soon done. */
const some = ['reads a file in many pieces', 'compresses by brotli', 'derives a key by scrypt', 'digests by subtle', 'gives a worker work']
const quick = Object.entries(work).filter(([name]) => some.includes(name))

it.each(quick)('does not call an agent stuck that %s, and keeps its order', async (_name, body) => {
  await expectNotStuck(body, 1)
})

it.each(quick)('waits for all work that goes on at once: %s', async (_name, body) => {
  await expectWaitedFor(body)
})

const ignore = (): undefined => undefined

/** What an agent opens and leaves open: it is no work. Each returns what closes it. */
const handles: Readonly<Record<string, () => () => unknown>> = {
  'a listener for a signal': () => {
    process.on('SIGUSR2', ignore)
    return () => process.off('SIGUSR2', ignore)
  },
  'a resolver of names': () => {
    const resolver = new dns.Resolver()
    return () => resolver.cancel()
  },
  'a watch on the delay of the event loop': () => {
    const delay = monitorEventLoopDelay()
    delay.enable()
    return () => delay.disable()
  },
  'a server': () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    return () => server.close()
  },
  'a blob that nobody reads': () => {
    const reader = new Blob(['some text']).stream().getReader()
    return () => reader.cancel()
  },
}

it.each(Object.entries(handles))('does not wait for what an agent leaves open: %s', async (_name, leave) => {
  let close: () => unknown = ignore
  const agent = async (): Promise<unknown> => {
    const first = await look('a')
    // Each run opens its own.
    await close()
    close = leave()
    return [first, await look('b')]
  }
  try {
    await expectClean((await recordRun(agent)).trace, agent)
  } finally {
    await close()
  }
})

it('holds a run that loads a library which stays for the whole process', async () => {
  const agent = async (): Promise<unknown> => {
    const { Agent } = await import('@openai/agents')
    return [typeof Agent, await look('a')]
  }
  const { trace } = await recordRun(() => look('a').then((answer) => ['function', answer]))
  await expectClean(trace, agent)
})

it('gives up work that does not come back', async () => {
  // A server for names that never answers.
  const silent = dgram.createSocket('udp4')
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
  const resolver = new dns.Resolver()
  resolver.setServers([`127.0.0.1:${silent.address().port}`])
  const run = {}
  const here = (): WorkStart => ({ made: 0, place: 0 })
  const [patient, asked] = [watchOwnWork(run, here), Promise.withResolvers<unknown>()]
  const ask = (): void => resolver.resolve('example.test', (error) => asked.resolve(error))
  try {
    runInScope({ run: run as ActiveRun, owner: 0 }, ask)
    expect([patient.isUnderWay(), patient.isGivenUp]).toEqual([true, false])
    patient.stop()
    const impatient = watchOwnWork(run, here, 1)
    runInScope({ run: run as ActiveRun, owner: 0 }, ask)
    await expect.poll(() => [impatient.isUnderWay(), impatient.isGivenUp]).toEqual([false, true])
    impatient.stop()
  } finally {
    resolver.cancel()
    await asked.promise
    silent.close()
  }
})

/** An answer that takes longer than the agent's own work, where it is not there already. */
const slow = external('slow', (what: string) => new Promise<string>((resolve) => realTimers.setTimeout(() => resolve(what), 800)))

/** Two lanes: one waits for an answer, the other works. The last word has whoever is through last. */
const racing = async (): Promise<unknown> => {
  const order: string[] = []
  await Promise.all([
    slow('answer').then((answer) => order.push(answer)),
    promisify(crypto.pbkdf2)('secret', 'salt', 60_000, 32, 'sha512').then(() => order.push('work')),
  ])
  return order
}

it("says so where the agent's own work raced a recorded call, and it matters", async () => {
  const { trace, output } = await recordRun(racing)
  expect(output).toEqual(['work', 'answer'])
  const run = await replay(trace, racing)
  expect(run.divergences).toMatchObject([{ cause: 'outcome', received: { output: ['answer', 'work'] } }])
  expect(renderReport(run, { color: false, width: 120 })).toContain(
    "The agent's own I/O (a file, compression, a key) was in progress when recorded",
  )
})

it('says nothing of it where it did not race, or does not matter', async () => {
  const agent = async (word: string): Promise<unknown> => [await readFile(file).then(() => 'read'), await look(word)]
  const { trace } = await recordRun(() => agent('a'))
  const other = await replay(trace, () => agent('b'))
  expect([other.racedOwnWork, renderReport(other, { color: false, width: 120 }).includes('own I/O')]).toEqual([false, false])
  const sorted = async (): Promise<unknown> => ((await racing()) as string[]).toSorted()
  const run = await replay((await recordRun(sorted)).trace, sorted)
  expect([run.divergences, run.racedOwnWork]).toEqual([[], true])
})

/** What never comes. */
const waits: Readonly<Record<string, () => Promise<unknown>>> = {
  'a promise that nobody settles': () => new Promise(() => undefined),
  'a message that nobody sends': () => new Promise((resolve) => new MessageChannel().port1.addEventListener('message', resolve)),
  'an event that nobody emits': () => new Promise((resolve) => new EventTarget().addEventListener('done', resolve)),
}

it.each(Object.entries(waits))('stops, with what it waited for, an agent that waits for %s', { timeout: 10_000 }, async (_name, wait) => {
  const { trace } = await recordRun(async () => [await look('a'), await look('b')])
  const agent = async (): Promise<unknown> => [await look('a'), await readFile(file).then(() => 1), await wait(), await look('b')]
  const run = await replay(trace, agent)
  expect(run.outcome.status).toBe('stopped')
  expect(run.divergences[0]).toMatchObject({ cause: 'missing-call', step: 2, name: 'look' })
})

const staysOpen: Readonly<Record<string, () => Promise<() => unknown>>> = {
  'a server': async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return () => server.close()
  },
  'a server of a unix socket': async () => {
    await using directory = await createTemporaryDirectory()
    const server = net.createServer().listen(directory.resolve('socket'))
    await once(server, 'listening')
    return () => server.close()
  },
  'a handler of a signal': async () => {
    const handle = (): void => undefined
    process.on('SIGUSR2', handle)
    return () => process.off('SIGUSR2', handle)
  },
}

it.each(Object.entries(staysOpen))('ends a replay while what the run opened stays open: %s', async (_name, openIt) => {
  const closings: (() => unknown)[] = []
  const agent = async (): Promise<string> => {
    closings.push(await openIt())
    return 'done'
  }
  const { trace } = await recordRun(agent)
  try {
    const run = await replay(trace, agent)
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'done' }])
  } finally {
    for (const close of closings) close()
  }
})

it.each(Object.entries(work))('does not call an agent stuck that %s, and keeps its order, each time', async (_name, body) => {
  await expectNotStuck(body, 3)
})

it.each(Object.entries(work))('waits for all work that goes on at once: %s', async (_name, body) => {
  await expectWaitedFor(body)
})
