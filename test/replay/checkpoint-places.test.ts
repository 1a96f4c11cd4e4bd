import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { explain } from '../../src/divergence/report/cause-words.ts'
import { compareRuns } from '../../src/replay/compare/compare-runs.ts'
import { replay } from '../../src/replay/replay.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { prepareRebase } from '../../src/replay/goldens/rebase.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const read = external('read', async (id: number) => (await pause(1), id))
const write = tool('write', { effect: 'write' }, async (id: number) => (await pause(1), id))

async function careful(): Promise<string> {
  await read(1)
  checkpoint('decided', { refund: 5 })
  await write(1)
  return 'done'
}

async function moved(): Promise<string> {
  await read(1)
  await write(1)
  checkpoint('decided', { refund: 5 })
  return 'done'
}

it('is red where a checkpoint moved behind the write', async () => {
  const { trace } = await recordRun(careful)
  await expectClean(trace, careful)
  const run = await replay(trace, moved)
  expect(run.divergences).toMatchObject([{ cause: 'checkpoint', name: 'decided', step: 1, position: 'after', consequence: false }])
  expect(run.divergences.map((one) => explain(one))).toEqual([
    'The recorded run reached this checkpoint after step 1, before step 2 settled; the agent reached it after step 2 settled.',
  ])
  expect(run.hash).not.toBe(trace.hash)
  expect((await compareRuns(trace, run)).divergences).toEqual(run.divergences)
})

it('is red where a checkpoint moved before the write', async () => {
  const { trace } = await recordRun(moved)
  const run = await replay(trace, careful)
  expect(run.divergences).toMatchObject([
    {
      cause: 'checkpoint',
      step: 1,
      position: 'after',
      differences: [{ path: 'place', expected: 'after step 2 settled', received: 'before step 2 settled' }],
    },
  ])
  expect((await compareRuns(trace, run)).divergences).toEqual(run.divergences)
})

it.each([
  ['behind the write', careful, moved],
  ['before it', moved, careful],
])('is taken over by a rebase: moved %s', async (_, before, after) => {
  const { text } = toGolden((await recordRun(before)).trace, {
    name: 'refund',
    description: 'A refund',
    promotedAt: '2026-11-21T08:00:00.000Z',
  })
  const rebased = await prepareRebase(decodeTrace(text, 'refund.jsonl', digest), after)
  if (rebased.status !== 'rebased') throw new Error(JSON.stringify(rebased))
  const golden = decodeTrace(rebased.text, 'refund.jsonl', digest)
  await expectClean(golden, after)
  expect(rowsOf(golden, 'checkpoint')).toHaveLength(1)
})

it('tells both recorded runs apart by their hash', async () => {
  const [one, other, same] = [await recordRun(careful), await recordRun(moved), await recordRun(careful)]
  expect(one.trace.hash).toBe(same.trace.hash)
  expect(one.trace.hash).not.toBe(other.trace.hash)
})

it('counts the steps of its owner only', async () => {
  const mark = (): void => checkpoint('marked', 1)
  const agentOf = (isEarly: boolean) => {
    const outer = tool('outer', {}, async () => {
      if (isEarly) mark()
      await read(1)
      if (!isEarly) mark()
      return 'out'
    })
    return async () => {
      const result = await outer()
      mark()
      return result
    }
  }
  const { trace } = await recordRun(agentOf(true))
  await expectClean(trace, agentOf(true))
  await expectClean(trace, agentOf(true), { tools: 'run' })
  // A body that does not run is nobody's business.
  expect((await replay(trace, agentOf(false))).divergences).toEqual([])
  expect((await replay(trace, agentOf(false), { tools: 'run' })).divergences).toMatchObject([{ cause: 'checkpoint', step: 1 }])
})

it('is green for parallel steps that settle in another order at every recording', async () => {
  let turn = 0
  const wait = external('wait', async (id: number, delay: number) => (await pause(delay), id))
  const agent = async (): Promise<number[]> =>
    await Promise.all(
      [1, 2, 3, 4].map(async (id) => {
        const value = await wait(id, (id * 7 * turn) % 13)
        checkpoint(`waited ${id}`, value)
        return value
      }),
    )
  for (turn = 1; turn <= 6; turn += 1) await expectClean((await recordRun(agent)).trace, agent)
})

it('is green for a checkpoint beside a tool that settles in microtasks', async () => {
  const look = tool('look', { effect: 'read' }, async (id: number) => id)
  for (let awaits = 0; awaits < 8; awaits += 1) {
    const beside = async (): Promise<void> => {
      for (let each = 0; each < awaits; each += 1) await Promise.resolve()
      checkpoint('beside', awaits)
    }
    const twice = async (): Promise<number> => await look(await look(2))
    const agent = async (): Promise<unknown> => await Promise.all([look(1), beside(), twice()])
    const { trace } = await recordRun(agent)
    const run = await expectClean(trace, agent)
    expect((await compareRuns(trace, run)).divergences).toEqual([])
  }
})

it.each([
  ['before the tool', 40, 1],
  ['behind it', 1, 40],
])('is green for a checkpoint that follows on work of the run’s own, %s', async (_, toolTakes, workTakes) => {
  const slow = tool('slow', { effect: 'write' }, async () => await pause(toolTakes))
  const beside = async (): Promise<void> => {
    await promisify(pbkdf2)('a', 'b', workTakes * 1000, 8, 'sha256')
    checkpoint('beside', 1)
  }
  const agent = async (): Promise<unknown> => await Promise.all([slow(), beside()])
  await expectClean((await recordRun(agent)).trace, agent)
})

it('is green for a checkpoint that follows on work of the run’s own, where the machine that replays is busy', async () => {
  let isBusy = false
  const slow = tool('slow', { effect: 'write' }, async () => await pause(1))
  const beside = async (): Promise<void> => {
    const hash = promisify(pbkdf2)('a', 'b', 40_000, 8, 'sha256')
    // The hash is ready before the event loop turns.
    if (isBusy) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
    await hash
    checkpoint('beside', 1)
  }
  const agent = async (): Promise<unknown> => await Promise.all([slow(), beside()])
  const { trace } = await recordRun(agent)
  isBusy = true
  await expectClean(trace, agent)
})

it('is red where a checkpoint moved before the write, while work of the run’s own is in progress', async () => {
  const agentOf = (isEarly: boolean) => async () => {
    const hash = promisify(pbkdf2)('a', 'b', 100_000, 8, 'sha256')
    if (isEarly) checkpoint('decided', 1)
    await write(1)
    if (!isEarly) checkpoint('decided', 1)
    await hash
  }
  const { trace } = await recordRun(agentOf(false))
  expect((await replay(trace, agentOf(true))).divergences).toMatchObject([{ cause: 'checkpoint', position: 'after' }])
})

it('is red where a write that settles in microtasks is made after the checkpoint', async () => {
  const quick = tool('quick', { effect: 'write' }, async (id: number) => id)
  const agent = (isEarly: boolean) => async () => {
    await read(1)
    if (isEarly) checkpoint('decided', 1)
    await quick(1)
    if (!isEarly) checkpoint('decided', 1)
  }
  for (const isEarly of [true, false]) {
    const { trace } = await recordRun(agent(isEarly))
    expect((await replay(trace, agent(!isEarly))).divergences).toMatchObject([{ cause: 'checkpoint', step: 1, position: 'after' }])
  }
})
