import crypto, { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

const wait = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))

/** Everything that an agent can draw from the world. */
function drawAll(): Record<string, unknown> {
  return {
    now: Date.now(),
    date: new Date(),
    text: Date(),
    performance: performance.now(),
    hrtime: process.hrtime(),
    bigint: process.hrtime.bigint(),
    random: Math.random(),
    uuid: [crypto.randomUUID(), globalThis.crypto.randomUUID(), randomUUID()],
    bytes: [
      new Uint8Array(crypto.randomBytes(5)),
      globalThis.crypto.getRandomValues(new Uint8Array(6)),
      crypto.randomFillSync(new Uint8Array(7)),
    ],
    int: crypto.randomInt(1000),
  }
}

it('gives every draw again', async () => {
  const inner = tool('inner', {}, async () => drawAll())
  const agent = async (): Promise<unknown> => {
    const first = drawAll()
    await wait(2)
    return [first, drawAll(), await inner(), drawAll()]
  }
  const { trace } = await recordRun(agent)
  await expectClean(trace, agent)
  await expectClean(trace, agent, { tools: 'run' })
})

it('gives draws of steps that run at the same time each to its own', async () => {
  const draw = tool('draw', {}, async (delay: number) => {
    const before = Math.random()
    await wait(delay)
    return [before, Math.random(), crypto.randomUUID()]
  })
  const agent = async (): Promise<unknown> => [await Promise.all([draw(6), draw(1), draw(3)]), Math.random()]
  const { trace } = await recordRun(agent)
  await expectClean(trace, agent, { tools: 'run' })
})

it('shifts no draw where one was added or removed in an earlier turn', async () => {
  const ask = tool('ask', {}, async (value: unknown) => value)
  const agent = async (added: number): Promise<unknown> => {
    for (let time = 0; time < added; time += 1) [Math.random(), Date.now(), crypto.randomUUID()].at(0)
    await wait(2)
    return await ask({ random: Math.random(), uuid: crypto.randomUUID(), now: Date.now() })
  }
  for (const [recorded, replayed] of [
    [1, 3],
    [3, 1],
    [0, 2],
  ]) {
    const { trace, output } = await recordRun(() => agent(recorded ?? 0))
    const run = await replay(trace, () => agent(replayed ?? 0))
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
})

it('gives draws that the recording does not have, the same in every replay', async () => {
  const { trace } = await recordRun(() => 'done')
  const drawn = new Set<string>()
  for (let time = 0; time < 3; time += 1) {
    await replay(trace, () => {
      const { random, uuid, bytes, int, now } = drawAll()
      drawn.add(JSON.stringify({ random, uuid, bytes, int, now }))
      return 'done'
    })
  }
  expect(drawn.size).toBe(1)
})

it('lets a clock that the recording does not have go on from the recorded one', async () => {
  const { trace } = await recordRun(async () => {
    const first = Date.now()
    await wait(20)
    return Date.now() - first
  })
  const startedAt = Date.parse(trace.header.startedAt)
  const times: number[] = []
  const run = await replay(trace, async () => {
    const first = Date.now()
    times.push(Date.now())
    await wait(20)
    const second = Date.now()
    times.push(Date.now(), new Date().getTime())
    return second - first
  })
  expect(run.divergences).toEqual([])
  expect(times.toSorted((a, b) => a - b)).toEqual(times)
  expect(times.every((time) => time >= startedAt && time < startedAt + 60_000)).toBe(true)
})

it('ends a loop that waits for a time on the clock', async () => {
  const { trace } = await recordRun(() => 'done')
  const run = await replay(trace, () => {
    const end = Date.now() + 500
    while (Date.now() < end);
    const elapsed = performance.now() + 500
    while (performance.now() < elapsed);
    return 'done'
  })
  expect(run.outcome).toEqual({ status: 'returned', output: 'done' })
})

it('leaves clock and chance of the test alone while a replay runs', async () => {
  const agent = async (): Promise<number> => {
    await wait(3)
    return Math.random()
  }
  const { trace } = await recordRun(agent)
  const [before, running] = [Date.now(), replay(trace, agent)]
  const values = [Math.random(), Math.random()]
  const run = await running
  expect(Date.now()).toBeGreaterThanOrEqual(before)
  expect(values).not.toContain(trace.end?.output)
  expect(run.outcome).toEqual({ status: 'returned', output: trace.end?.output })
})
