import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setInterval as every, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createRecorder, tool } from '../../src/index.ts'
import { compareRuns, listTraces, readTrace, replay } from '../../src/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordLateRun } from '../support/record-late-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

/** What the world was sent. */
let posts = 0
const server = createServer((request, response) => {
  if (request.method === 'POST') posts += 1
  request.resume().on('end', () => response.end('{}'))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  posts = 0
})

const look = async (): Promise<string> => (await fetch(`${url}/status`)).text()
const pay = async (): Promise<string> => (await fetch(`${url}/refund`, { method: 'POST', body: '{}' })).text()
const refund = tool('refund', { effect: 'write' }, pay)

/** Ways to do something so many times after the run. */
const loops: Readonly<Record<string, (times: number, act: () => Promise<unknown>) => unknown>> = {
  'an interval': (times, act) => {
    let count = 0
    const interval = setInterval(() => {
      if ((count += 1) === times) clearInterval(interval)
      void act()
    }, 15)
  },
  'an interval that does not keep the process': (times, act) => {
    let count = 0
    const interval = setInterval(() => {
      if ((count += 1) === times) clearInterval(interval)
      void act()
    }, 15).unref()
  },
  'an interval of timers/promises': async (times, act) => {
    let count = 0
    for await (const _ of every(15)) {
      await act()
      if ((count += 1) === times) break
    }
  },
  'a chain of timers': (times, act) => {
    const next = (left: number): void => {
      void act()
      if (left > 1) setTimeout(() => next(left - 1), 15)
    }
    setTimeout(() => next(times), 15)
  },
  'a loop of pauses': async (times, act) => {
    for (let count = 0; count < times; count += 1) {
      await sleep(15)
      await act()
    }
  },
}

const acts = { 'a request': pay, 'a tool': refund }
const cases = Object.entries(loops).flatMap(([loop, start]) => Object.entries(acts).map(([what, act]) => ({ loop, start, what, act })))

it.each(cases)('records and replays each tick of $loop that makes $what after the run', async ({ start, act }) => {
  const leaves = (times: number) => async () => {
    await look()
    void start(times, act)
    return 'done'
  }
  const trace = await recordLateRun(leaves(3))
  expect(posts).toBe(3)
  expect(writesOf(trace)).toBe(3)
  for (let time = 0; time < 3; time += 1) expect((await replay(trace, leaves(3))).divergences).toEqual([])
  const again = await replay(trace, leaves(3))
  expect((await compareRuns(trace, again.toTrace())).divergences).toEqual([])
  expect((await replay(trace, leaves(2))).divergences).toMatchObject([{ cause: 'missing-call' }])
  expect((await replay(trace, leaves(4))).divergences[0]).toMatchObject({ cause: 'unexpected-call' })
  expect(posts).toBe(3)
})

it.each(Object.entries(loops))('finds a second refund on the second tick of %s', async (_loop, start) => {
  const leaves = (times: number) => async () => {
    await look()
    void start(times, refund)
    return 'done'
  }
  const trace = await recordLateRun(leaves(1))
  expect((await replay(trace, leaves(1))).divergences).toEqual([])
  expect((await replay(trace, leaves(2))).divergences[0]).toMatchObject({ cause: 'unexpected-call', name: 'refund', position: 'after' })
})

it('finds a write that comes on a later tick of an interval that did nothing until the watch ended', async () => {
  const beats = (refundsAt: number) => async () => {
    let count = 0
    setInterval(() => {
      if ((count += 1) === refundsAt) void refund()
    }, 5)
    return 'done'
  }
  const trace = await recordLateRun(beats(0), { lateMilliseconds: 400 })
  expect(trace.rows.filter(({ kind }) => kind === 'timer').length).toBeGreaterThan(2)
  for (let time = 0; time < 3; time += 1) expect((await replay(trace, beats(0))).divergences).toEqual([])
  expect((await replay(trace, beats(2))).divergences).toMatchObject([{ cause: 'unexpected-call', name: 'refund' }])
})

it('finds what an interval does that was added and is never cleared', async () => {
  const trace = await recordLateRun(async () => 'done')
  expect(closedOf(trace)).toMatchObject({ by: 'done' })
  const beats = (act: () => unknown) => async () => {
    let count = 0
    setInterval(() => ((count += 1) > 3 ? act() : undefined), 5_000).unref()
    return 'done'
  }
  expect(
    (
      await replay(
        trace,
        beats(() => undefined),
      )
    ).divergences,
  ).toEqual([])
  expect((await replay(trace, beats(refund))).divergences).toMatchObject([{ cause: 'unexpected-call', name: 'refund' }])
})

it('ends the replay of an agent that left an interval behind which never stops', async () => {
  const trace = await recordLateRun(async () => 'done')
  const run = await replay(trace, async () => {
    setInterval(() => undefined, 1).unref()
    return 'done'
  })
  expect(run.divergences).toEqual([])
  expect(run.outcome).toEqual({ status: 'returned', output: 'done' })
})

it('fires no timer that was due when the recorder was closed, but had not fired', async () => {
  await using directory = await createTemporaryDirectory()
  const store = directory.resolve('runs')
  const recorder = createRecorder({ store, thread: false })
  let interval: NodeJS.Timeout | undefined
  const agent = async (): Promise<string> => {
    interval = setInterval(() => void refund(), 10)
    return 'done'
  }
  await recorder.run({ agent: 'agent', input: null }, agent)
  const begun = performance.now()
  while (performance.now() < begun + 40);
  await recorder.close()
  clearInterval(interval)
  const [found] = await listTraces({ store })
  const trace = await readTrace(found?.id ?? 'none', { store })
  expect(writesOf(trace)).toBe(0)
  expect(closedOf(trace)).toMatchObject({ by: 'close', overdue: [{ owner: 0, set: 0, delay: 10 }] })
  for (let time = 0; time < 3; time += 1) expect((await replay(trace, agent)).divergences).toEqual([])
})

it('gives a late read that repeats a recorded one its last answer, and judges the write that follows on it', async () => {
  const polls = (times: number, writes: number) => async () => {
    void (async () => {
      for (let count = 0; count < times; count += 1) {
        await sleep(15)
        await look()
      }
      for (let count = 0; count < writes; count += 1) await refund()
    })()
    return 'done'
  }
  const trace = await recordLateRun(polls(2, 1))
  expect((await replay(trace, polls(2, 1))).divergences).toEqual([])
  expect((await replay(trace, polls(3, 1))).divergences).toEqual([])
  expect((await replay(trace, polls(1, 1))).divergences).toEqual([])
  expect((await replay(trace, polls(3, 2))).divergences).toMatchObject([{ cause: 'unexpected-call', name: 'refund' }])
  const quiet = await recordLateRun(polls(2, 0))
  expect((await replay(quiet, polls(3, 0))).divergences).toEqual([])
  expect((await replay(quiet, polls(3, 1))).divergences).toMatchObject([{ cause: 'unexpected-call', name: 'refund' }])
})

it('gives a late read of a tool its last answer, in the form of the recorded one', async () => {
  const seen: unknown[] = []
  const find = tool('find', { effect: 'read' }, (id: string) => ({ id, left: 3 }))
  const looksUp = (times: number) => async () => {
    setTimeout(() => {
      for (let count = 0; count < times; count += 1) seen.push(find('order'))
    }, 15)
    return 'done'
  }
  const trace = await recordLateRun(looksUp(1))
  seen.length = 0
  expect((await replay(trace, looksUp(2))).divergences).toEqual([])
  expect(seen).toEqual([
    { id: 'order', left: 3 },
    { id: 'order', left: 3 },
  ])
})

it('ends the replay of an agent that reads for ever', async () => {
  const reads = (times: number) => async () => {
    void (async () => {
      for (let count = 0; count < times; count += 1) await look()
    })()
    return 'done'
  }
  const trace = await recordLateRun(reads(1))
  expect((await replay(trace, reads(Infinity))).divergences).toEqual([])
})

it('tells the late writes of a client that the process makes once as state of the process', async () => {
  let client: NodeJS.Timeout | undefined
  const agent = async (): Promise<string> => {
    client ??= setTimeout(() => void refund(), 15)
    return 'done'
  }
  const trace = await recordLateRun(agent)
  expect(writesOf(trace)).toBe(1)
  client = undefined
  expect((await replay(trace, agent)).divergences).toEqual([])
  expect((await replay(trace, agent)).divergences).toMatchObject([{ cause: 'missing-call', name: 'refund', heldBefore: true }])
})

function writesOf({ steps }: Trace): number {
  return steps.filter(
    ({ owner, boundary, input }) => owner === 0 && (boundary === 'tool' || (input as { readonly method?: string }).method === 'POST'),
  ).length
}

function closedOf({ rows }: Trace): unknown {
  return rows.findLast(({ kind }) => kind === 'closed')
}
