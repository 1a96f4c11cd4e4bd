import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { fork } from '../../src/replay.ts'
import { recordRun } from '../support/record-run.ts'
import { ask, expectClean, setUpLiveForks } from '../support/live-forks.ts'

setUpLiveForks()

it('lets real time pass from the step on, where calls may go live', async () => {
  const agent = async (): Promise<number[]> => {
    await ask('one')
    await sleep(300)
    await ask('two')
    const started = Date.now()
    await sleep(300)
    return [Date.now() - started]
  }
  const { trace } = await recordRun(agent)
  const started = performance.now()
  const run = await fork(trace, agent, { at: { turn: 2 }, then: 'live' })
  const took = performance.now() - started
  expect(took).toBeGreaterThan(290)
  expect(run.outcome).toMatchObject({ status: 'returned', output: [expect.toSatisfy((waited: number) => waited >= 295 && waited < 2000)] })
  await expectClean(run.toTrace(), agent)
  const virtual = await fork(trace, agent, { at: { turn: 2 }, then: 'live', clock: 'virtual' })
  expect(virtual.outcome).toMatchObject({
    status: 'returned',
    output: [expect.toSatisfy((waited: number) => waited >= 295 && waited < 310)],
  })
})
