import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const read = external('read', async (id: number) => (await pause(2), id))
const write = tool('write', { effect: 'write' }, async (id: number) => (await pause(4), id))
const quick = tool('quick', { effect: 'write' }, async (id: number) => id)

/** Some awaits come between the write and what follows it. */
const agent =
  (writes: (id: number) => Promise<unknown>, waits: boolean, marks = false) =>
  async () => {
    await read(1)
    const writing = writes(1)
    if (waits) await writing
    for (let each = 0; each < 5; each += 1) await Promise.resolve()
    if (marks) checkpoint('written', 1)
    await read(2)
  }

it('finds a call that no longer waits for a tool which took a turn of the event loop', async () => {
  const { trace } = await recordRun(agent(write, true))
  await expectClean(trace, agent(write, true))
  const run = await replay(trace, agent(write, false))
  expect(run.divergences).toMatchObject([{ cause: 'order', step: 3, position: 'at', before: 2 }])
})

it('finds a checkpoint that no longer waits for it, behind the last step that had settled', async () => {
  const { trace } = await recordRun(agent(write, true, true))
  await expectClean(trace, agent(write, true, true))
  const run = await replay(trace, agent(write, false, true))
  expect(run.divergences).toMatchObject([
    { cause: 'checkpoint', step: 1, position: 'after' },
    { cause: 'order', step: 3, consequence: true },
  ])
})

it('does not compare the microtasks in which a tool settles', async () => {
  const { trace } = await recordRun(agent(quick, true, true))
  expect((await replay(trace, agent(quick, false, true))).divergences).toEqual([])
})

it('says in the trace which tools settled in microtasks', async () => {
  const file = tool('file', {}, async () => (await readFile(import.meta.filename)).length)
  const fails = tool('fails', {}, async () => await Promise.reject(new Error('no')))
  const { trace } = await recordRun(async () => [
    await quick(1),
    await file(),
    await quick(2),
    await write(1),
    await fails().catch(() => 0),
  ])
  const settled = trace.rows.filter((row) => row.kind === 'return' || row.kind === 'throw')
  expect(settled.map(({ inTurn = false }) => inTurn)).toEqual([true, false, true, false, true])
})

it('does not know it of a trace of format 1', async () => {
  const { trace } = await recordRun(agent(write, true))
  const header = { ...trace.header, format: 1 }
  const old: Trace = { ...trace, header, rows: [header, ...trace.rows.slice(1)] }
  expect((await replay(old, agent(write, false))).divergences).toEqual([])
})
