import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { tool } from '../../src/index.ts'
import { compareRuns, replay } from '../../src/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordLateRun } from '../support/record-late-run.ts'

const refunds: string[] = []
const refund = tool('refund', { effect: 'write' }, async (id: string) => {
  refunds.push(id)
  return { id }
})
const look = tool('look', { effect: 'read' }, async (id: string) => ({ id }))

const kinds = (trace: Trace): string[] => trace.rows.slice(1).map((row) => ('step' in row ? `${row.kind} ${row.step}` : row.kind))

async function returnsAtOnce(): Promise<string> {
  await refund('first')
  return 'done'
}

async function refundsLater(): Promise<string> {
  await refund('first')
  setTimeout(() => void refund('second'), 50)
  return 'done'
}

it('keeps what the run left behind after its end, and replays it in virtual time', async () => {
  const trace = await recordLateRun(refundsLater)
  expect(kinds(trace)).toEqual(['call 1', 'return 1', 'end', 'timer', 'call 2', 'return 2', 'closed'])
  expect(trace.watchedUntil).toBeCloseTo((trace.end?.at ?? 0) + 60_000)

  refunds.length = 0
  const run = await replay(trace, refundsLater)
  expect(run.divergences).toEqual([])
  expect(run.outcome).toEqual({ status: 'returned', output: 'done' })
  expect(run.hash).toBe(trace.hash)
  expect(run.virtualMs).toBeLessThan((trace.end?.at ?? 0) + 50)
  expect(refunds).toEqual([])
  expect(kinds(run.toTrace())).toEqual(kinds(trace))
  expect((await compareRuns(trace, run.toTrace())).divergences).toEqual([])
})

it('finds a second refund that was added to what the run leaves behind, with its line', async () => {
  const trace = await recordLateRun(returnsAtOnce)
  expect(kinds(trace)).toEqual(['call 1', 'return 1', 'end', 'closed'])
  const run = await replay(trace, refundsLater)
  expect(run.divergences).toEqual([
    expect.objectContaining({
      cause: 'unexpected-call',
      step: 1,
      position: 'after',
      name: 'refund',
      received: 'second',
      site: expect.objectContaining({ file: expect.stringContaining('late-calls.test.ts') }),
    }),
  ])
})

it('misses a call that the recorded run waited for, where the agent makes it only when it has returned', async () => {
  const trace = await recordLateRun(async () => {
    await look('first')
    await refund('first')
    return 'done'
  })
  const run = await replay(trace, async () => {
    await look('first')
    setTimeout(() => void refund('first'), 50)
    return 'done'
  })
  expect(run.divergences.map(({ cause, step, consequence }) => [cause, step, consequence])).toEqual([
    ['missing-call', 2, false],
    ['unexpected-call', 2, true],
  ])
})

it('finds that what the run left behind is no longer made', async () => {
  const run = await replay(await recordLateRun(refundsLater), returnsAtOnce)
  expect(run.divergences).toMatchObject([{ cause: 'missing-call', step: 2, name: 'refund' }])
})

it.each([
  [
    'a chain of promises',
    () =>
      void Promise.resolve()
        .then(() => refund('second'))
        .catch(() => undefined),
  ],
  ['a turn of the event loop', () => void setImmediate(() => void refund('second'))],
  ['timers/promises', () => void sleep(20).then(() => refund('second'))],
  ['a timer of 59 seconds', () => void setTimeout(() => void refund('second'), 59_000).unref()],
])('finds a call after %s that nobody awaited', async (_what, leaves) => {
  const trace = await recordLateRun(returnsAtOnce)
  const run = await replay(trace, async () => {
    const output = await returnsAtOnce()
    leaves()
    return output
  })
  expect(run.divergences.filter(({ cause }) => cause === 'unexpected-call')).toMatchObject([{ name: 'refund', received: 'second' }])
})

it('replays unchanged code that left a chain of promises behind', async () => {
  const agent = async (): Promise<string> => {
    void look('first').then(() => refund('second'))
    return 'done'
  }
  const trace = await recordLateRun(agent)
  expect(trace.steps.map(({ name }) => name)).toEqual(['look', 'refund'])
  for (let time = 0; time < 20; time += 1) expect((await replay(trace, agent)).divergences).toEqual([])
})

it('runs no timer beyond what was watched', async () => {
  const trace = await recordLateRun(returnsAtOnce)
  const run = await replay(trace, async () => {
    setTimeout(() => void refund('second'), 61_000).unref()
    return returnsAtOnce()
  })
  expect(run.divergences).toEqual([])
})

it('lets reads that the run leaves behind come and go', async () => {
  const looksLater = async (): Promise<string> => {
    // Longer than anything of the run takes, however busy the machine is.
    setTimeout(() => void look('later'), 300)
    return returnsAtOnce()
  }
  expect((await replay(await recordLateRun(returnsAtOnce), looksLater)).divergences).toEqual([])
  expect((await replay(await recordLateRun(looksLater), returnsAtOnce)).divergences).toEqual([])
})

it('warns of late calls where the trace does not say what came after its end', async () => {
  const { watchedUntil: _, ...trace } = await recordLateRun(returnsAtOnce)
  const rows = trace.rows.filter(({ kind }) => kind !== 'closed')
  const run = await replay({ ...trace, rows }, refundsLater)
  expect(run.divergences).toEqual([])
  expect(run.lateCalls).toEqual([{ name: 'refund', site: expect.objectContaining({ line: expect.any(Number) as number }) }])
})

it('delays no result, and does not watch longer than it is told to', async () => {
  const trace = await recordLateRun(refundsLater, { lateMilliseconds: 20 })
  expect(kinds(trace)).toEqual(['call 1', 'return 1', 'end', 'closed'])
  expect((await replay(trace, refundsLater)).divergences).toEqual([])
})

it('keeps an unawaited request, and finds one that was added', async () => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    setTimeout(() => response.end('{}'), 20)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const post = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`, { method: 'POST', body: '{}' })).json()
  const agent = async (): Promise<string> => {
    void post('/a').then(() => post('/b'))
    return 'done'
  }
  try {
    const trace = await recordLateRun(agent)
    expect(seen).toEqual(['/a', '/b'])
    expect(trace.steps).toHaveLength(2)
    expect((await replay(trace, agent)).divergences).toEqual([])
    const run = await replay(trace, async () => {
      void post('/a').then(() => post('/b').then(() => post('/c')))
      return 'done'
    })
    expect(run.divergences).toMatchObject([{ cause: 'unexpected-call', boundary: 'http', step: 2 }])
    expect(seen).toHaveLength(2)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
