import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { httpRequest } from '../support/http-request.ts'
import { kindsOf, recordRun, startRecorder } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

let received: string[] = []
const server = await listen(async (request, response) => {
  received.push(request.url ?? '')
  setTimeout(() => response.end(`answer to ${request.url}`), 2)
})
afterAll(() => server.close())
const get = async (path: string): Promise<string> => (await fetch(`${server.url}${path}`)).text()
const look = tool('look', {}, async (what: string) => what)

it('assigns promises that outlive their run to no run while other runs continue', async () => {
  await using recorder = await startRecorder()
  let over = Promise.withResolvers<void>()
  const late: Promise<unknown>[] = []
  const leave = async (name: string): Promise<string> => {
    late.push(over.promise.then(async () => [await get(`/late/${name}`), await look(`late ${name}`), Math.random() < 1, currentRun()]))
    return await get(`/${name}`)
  }
  const stay = async (): Promise<unknown> => [await sleep(30), await get('/stays'), await look('stays')]
  const staying = recorder.record(stay)
  const [one, other] = await Promise.all([recorder.record(leave, { input: 'one' }), recorder.record(leave, { input: 'other' })])
  over.resolve()
  expect(await Promise.all(late)).toEqual(['one', 'other'].map((name) => [`answer to /late/${name}`, `late ${name}`, true, undefined]))
  const stayed = await staying
  expect([one, other, stayed].map(({ trace }) => trace.steps.length)).toEqual([1, 1, 2])

  // What a replay leaves behind does not reach the world either.
  received = []
  over = Promise.withResolvers()
  late.length = 0
  const replays = await Promise.all([one, other].map(({ trace }) => replay(trace, leave)))
  expect(replays.map(({ divergences }) => divergences)).toEqual([[], []])
  for (const promise of late) promise.catch(() => undefined)
  over.resolve()
  await expectClean(stayed.trace, stay)
  expect(received).toEqual([])
})

it('makes a run within a run part of the outer one, however deep', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('inner') })
  const innermost = (path: string): Promise<string> => recorder.run({ agent: 'innermost', input: path }, get)
  const inner = (path: string): Promise<unknown> =>
    recorder.run({ agent: 'inner', input: path }, async (from) => [
      await innermost(`${from}/1`),
      await look(from),
      await innermost(`${from}/2`),
    ])
  const outer = async (): Promise<unknown> => [
    await get('/outer'),
    await Promise.all([inner('/a'), inner('/b')]),
    currentRun()?.id !== undefined,
  ]
  const { trace } = await recordRun(outer)
  expect([trace.steps.length, recorder.stats().recorded]).toEqual([7, 0])
  await expectClean(trace, outer)
  // Alone, the inner one is a run of its own.
  await inner('/alone')
  await recorder.close()
  expect(recorder.stats().recorded).toBe(1)
})

it('leaves a singleton alone that started its timers before the run, though runs use it', async () => {
  const ticks: unknown[] = []
  const waiting: ((tick: number) => void)[] = []
  const interval = setInterval(() => {
    ticks.push(currentRun())
    for (const wake of waiting.splice(0)) wake(ticks.length)
  }, 3)
  const connections = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const agent = async (): Promise<unknown> => {
    await new Promise((resolve) => waiting.push(resolve))
    const { body } = await httpRequest(`${server.url}/shared`, { agent: connections })
    return [body.toString(), await look('a')]
  }
  const runs = await Promise.all(Array.from({ length: 5 }, () => recordRun(agent)))
  for (const { trace } of runs) {
    expect([trace.steps.length, kindsOf(trace).filter((kind) => kind === 'timer')]).toEqual([2, []])
  }
  received = []
  const before = ticks.length
  const replays = await Promise.all(runs.map(({ trace }) => replay(trace, agent)))
  expect(replays.map(({ divergences, outcome }) => [divergences, outcome.status])).toEqual(runs.map(() => [[], 'returned']))
  expect([received, ticks.length > before, ticks.every((run) => run === undefined)]).toEqual([[], true, true])
  clearInterval(interval)
  connections.destroy()
})

it('gives a run back to whoever it belongs to behind a queue that all runs share', async () => {
  // A worker loop that was started outside of every run, and takes jobs of all of them: what it does is nobody's, what the jobs do is theirs.
  const jobs: (() => Promise<void>)[] = []
  const queue = <Result>(job: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => jobs.push(() => job().then(resolve, reject)))
  const closing = new AbortController()
  const loop = (async () => {
    while (!closing.signal.aborted) {
      await jobs.shift()?.()
      await sleep(1)
    }
  })()
  const agent = async (name: string): Promise<unknown> => [
    await look(name),
    await get(`/${name}`),
    await queue(async () => name),
    await look(`${name} again`),
  ]
  const runs = await Promise.all(['a', 'b', 'c'].map((input) => recordRun(agent, { input })))
  for (const { trace } of runs) expect(trace.steps).toHaveLength(3)
  const replays = await Promise.all(runs.map(({ trace }) => replay(trace, agent)))
  expect(replays.map(({ divergences }) => divergences)).toEqual([[], [], []])
  closing.abort()
  await loop
})
