import { expect, it } from 'vitest'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'
import { expectDeparture } from '../../src/replay/goldens/promotion/expect-departure.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { readTraceText } from '../../src/replay/traces/read-trace-text.ts'
import { judgeGolden } from '../../src/matchers/judge-golden.ts'
import { recordIncident } from './desk.ts'

const runs = { tools: { refund: 'run' } } as const
const incident = await recordIncident(() => ({ ...runs, answers: { http: { id: 're_1' } } }))

it('judges a fix inside the tool by its requests: one key for both may hold', async () => {
  const { word, report } = await incident.judge({ key: () => 'refund-ord_1' })
  expect([word, report]).toEqual(['held', expect.stringContaining('repeated with the idempotency key of the first')])
})

it.each([
  ['a new key for each', (nth: number) => `refund-${nth}`],
  ['a key for the second only', (nth: number) => (nth === 2 ? 'refund-ord_1' : undefined)],
  ['no key', () => undefined],
])('finds the repeat with %s', async (_, key) => {
  expect((await incident.judge({ key })).word).toBe('repeated')
})

it('finds the repeat where the recorded requests shared their key already', async () => {
  const shared = await recordIncident(() => runs, { key: () => 'refund-ord_1' })
  expect((await shared.judge({ key: () => 'refund-ord_1' })).word).toBe('repeated')
})

it('does not take the option of a tool for a key on the wire', async () => {
  let refunds = 0
  const desk = (key?: string) => async (): Promise<unknown> => {
    const keyed = key === undefined ? {} : { idempotencyKey: (_id: string) => key }
    const refund = tool('refund', { effect: 'write', ...keyed }, async (id: string) => {
      refunds += 1
      if (refunds === 1) throw new Error('the connection was lost')
      return { id }
    })
    return await refund('ord_1').catch(() => refund('ord_1'))
  }
  const { trace } = await recordRun(desk())
  const { text } = toGolden(trace, { name: 'twice', expect: expectDeparture(trace), promotedAt: '2026-11-23T00:00:00.000Z' })
  const { verdict } = await judgeGolden(await readTraceText(text, 'twice'), desk('refund-ord_1'))
  expect(verdict).toMatchObject({ holds: false, why: 'repeated' })
})
