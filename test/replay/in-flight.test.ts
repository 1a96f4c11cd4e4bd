import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { tool } from '../../src/index.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { listTraces, replay } from '../../src/replay.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { judge } from '../../src/matchers/holds.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const look = tool('look', { effect: 'read' }, async (id: string) => id)
const hang = tool('hang', { effect: 'read' }, (_id: string) => new Promise<string>(() => undefined))

/** Records an agent that never ends, as far as it comes. */
async function recordHanging(agent: () => Promise<unknown>): Promise<Trace> {
  await using directory = await createTemporaryDirectory()
  const store = directory.resolve('runs')
  const recorder = createRecorder({ store, thread: false })
  void recorder.run({ agent: 'agent', input: null }, () => agent())
  await sleep(20)
  await recorder.flush()
  const [run] = await listTraces({ store })
  return await readTrace(run?.id ?? 'none', { store })
}

it.each<[string, number, () => Promise<unknown>]>([
  ['one tool', 2, async () => look('a').then(() => hang('b'))],
  ['two parallel tools', 3, async () => look('a').then(() => Promise.all([hang('b'), hang('c')]))],
  ['one of two parallel tools', 3, async () => look('a').then(() => Promise.all([hang('b'), look('c')]))],
])('holds where the recording was in flight in %s', async (_what, steps, agent) => {
  const trace = await recordHanging(agent)
  expect(trace.steps).toHaveLength(steps)
  const run = await replay(trace, agent)
  expect(run.divergences).toEqual([])
  expect(run.outcome).toEqual({ status: 'in-flight' })
  expect(judge(run)).toEqual({ holds: true })
  expect(run.hash).toBe(trace.hash)
})

it('still finds what such a recording has and the run does not make', async () => {
  const trace = await recordHanging(async () => look('a').then(() => Promise.all([hang('b'), hang('c')])))
  const run = await replay(trace, async () => look('a').then(() => hang('b')))
  expect(run.divergences).toMatchObject([{ cause: 'missing-call', step: 3 }])
  expect(run.outcome).toMatchObject({ status: 'stopped' })
})
