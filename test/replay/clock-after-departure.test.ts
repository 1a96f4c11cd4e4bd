import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { tool } from '../../src/index.ts'
import { fork } from '../../src/replay.ts'
import { recordRun } from '../support/record-run.ts'

const look = tool('look', { effect: 'read' }, async (id: string) => {
  await sleep(40)
  return id
})
const find = tool('find', { effect: 'read' }, async (id: string) => id)

async function lookThrice(): Promise<void> {
  for (const id of ['a', 'b', 'c']) await look(id)
}

it('lets an answer that was given take as long as the recorded call that it stands for', async () => {
  const { trace } = await recordRun(lookThrice)
  const [, ...took] = trace.steps.map(({ at, settledAt = at }) => settledAt - at)
  const both = took.reduce((one, other) => one + other)
  const run = await fork(
    trace,
    async () => {
      await look('a')
      const started = Date.now()
      await look('x')
      await look('y')
      return Date.now() - started
    },
    { answers: { look: (id: string) => id } },
  )
  const [first, ...given] = run.steps
  expect(given.map(({ at, settledAt = at }) => settledAt - at)).toEqual(took.map((milliseconds) => expect.closeTo(milliseconds)))
  expect(run.virtualMs).toBeCloseTo((first?.settledAt ?? 0) + both)
  expect(run.outcome).toMatchObject({ status: 'returned', output: expect.closeTo(both, -1.5) })
})

it('lets answers that are under way together take their time together', async () => {
  const { trace } = await recordRun(lookThrice)
  const answers = { look: (id: string) => id }
  const together = await fork(trace, () => Promise.all([look('x'), look('y')]), { answers })
  const inTurn = await fork(trace, async () => [await look('x'), await look('y')], { answers })
  expect(together.virtualMs).toBeLessThan(inTurn.virtualMs * 0.75)
  expect(together.virtualMs).toBeGreaterThan(30)
})

it('lets an answer by a name that the recording does not have take a millisecond', async () => {
  const { trace } = await recordRun(lookThrice)
  const run = await fork(trace, async () => find('x'), { answers: { find: 'found' } })
  expect(run.steps).toMatchObject([{ name: 'find', at: 0, settledAt: 1 }])
})

it('keeps what the recording has behind the answers that came between', async () => {
  const { trace } = await recordRun(lookThrice)
  const run = await fork(
    trace,
    async () => {
      await look('a')
      await look('x')
      await look('b')
    },
    { answers: { look: (id: string) => id } },
  )
  const [took, recorded] = [run.steps, trace.steps].map((steps) => steps.map(({ at, settledAt = at }) => settledAt - at))
  expect(took).toHaveLength(3)
  for (const time of took ?? []) {
    expect(time).toBeGreaterThanOrEqual(Math.min(...(recorded ?? [])) - 1)
    expect(time).toBeLessThanOrEqual(Math.max(...(recorded ?? [])) + 1)
  }
})

it('ends with its last step, where it takes fewer than the recording', async () => {
  const { trace } = await recordRun(lookThrice)
  const run = await fork(trace, () => look('a'))
  expect(run.virtualMs).toBe(trace.steps[0]?.settledAt)
})
