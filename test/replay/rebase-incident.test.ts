import { expect, it } from 'vitest'
import { prepareIncidentRebase } from '../../src/goldens/try-rebase.ts'
import { expectDeparture, type IncidentOptions } from '../../src/replay/goldens/promotion/expect-departure.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { tool } from '../../src/run/tool.ts'
import { readTraceText } from '../../src/replay/traces/read-trace-text.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'

let refunds = 0
const look = tool('look', { effect: 'read' }, async (what: object) => Object.keys(what))
const notify = tool('notify', { effect: 'write' }, async (what: object) => Object.keys(what))
const refund = tool('refund', { effect: 'write' }, async (id: string) => {
  refunds += 1
  if (refunds === 1) throw new Error('the connection was lost')
  return { id }
})

/** What may be different of the agent. */
interface Habits {
  readonly query?: object
  readonly notice?: object
  readonly retries?: boolean
  readonly after?: object
}

/** It looks, tells somebody, refunds, and where that fails does it again. */
const desk =
  ({ query = { words: 'old' }, notice = { of: 'a refund' }, retries = true, after = { words: 'after' } }: Habits = {}) =>
  async (): Promise<unknown> => {
    await look(query)
    await notify(notice)
    const done = await refund('ord_1').catch(async () => (retries ? refund('ord_1') : { id: 'pending' }))
    await look(after)
    return done
  }

async function recordIncident(options: IncidentOptions = {}): Promise<Trace> {
  refunds = 0
  const { trace } = await recordRun(desk())
  const expectation = expectDeparture(trace, options)
  const { text } = toGolden(trace, { name: 'twice', expect: expectation, promotedAt: '2026-11-23T00:00:00.000Z' })
  return await readTraceText(text, 'twice')
}

const rebasedAt = '2026-11-24T00:00:00.000Z'

async function rebase(habits: Habits): Promise<{ readonly before: Trace; readonly after: Trace | undefined; readonly told: unknown }> {
  const before = await recordIncident()
  const { status, ...rest } = await prepareIncidentRebase(before, desk(habits), { rebasedAt })
  const after = 'text' in rest ? await readTraceText(rest.text, 'twice') : undefined
  return { before, after, told: 'changes' in rest ? { status, paths: rest.changes.map(({ path }) => path) } : { status, ...rest } }
}

/** The rows in which two traces differ, the header aside. */
function changedRows(before: Trace, after: Trace | undefined): string[] {
  const old = before.rows.slice(1).map((row) => JSON.stringify(row))
  return (after?.rows.slice(1) ?? []).map((row) => JSON.stringify(row)).filter((row, index) => row !== old[index])
}

it.each([
  ['held', false],
  ['repeated', true],
])('takes a changed read before the trigger over where it stays %s, and touches nothing else', async (_, retries) => {
  const { before, after, told } = await rebase({ query: { words: 'new' }, retries })
  expect(told).toEqual({ status: 'rebased', paths: ['args.words'] })
  expect(changedRows(before, after)).toEqual([expect.stringMatching(/"step":1,.*"words":"new"/)])
  expect(after?.header.golden).toEqual({ ...before.header.golden, rebasedAt })
})

it('does not touch a write, or what comes after the trigger', async () => {
  const { told } = await rebase({ notice: { of: 'another' }, retries: false })
  expect(told).toEqual({ status: 'refused', reason: 'it is the golden of an incident, which the agent has to depart from' })
  const late = await rebase({ after: { words: 'other' }, retries: false })
  expect(late.told).toEqual({ status: 'refused', reason: 'it is the golden of an incident, which the agent has to depart from' })
})

it('does not touch the trigger', async () => {
  const [first] = (await recordIncident()).steps
  const golden = await recordIncident({ trigger: first?.step ?? 0 })
  expect(await prepareIncidentRebase(golden, desk({ query: { words: 'new' }, retries: false }), { rebasedAt })).toEqual({
    status: 'refused',
    reason: 'it is the golden of an incident, which the agent has to depart from',
  })
})

it('refuses where the golden would be neither held nor repeated with it', async () => {
  // The read after the trigger differs in the same way, and gets its recorded answer only while the first one counts as drifted.
  refunds = 0
  const same = (words: string, retries: boolean) => async (): Promise<unknown> => {
    await look({ words })
    const done = await refund('ord_1').catch(async () => (retries ? refund('ord_1') : { id: 'pending' }))
    await look({ words, again: true })
    return done
  }
  const { trace } = await recordRun(same('old', true))
  const { text } = toGolden(trace, { name: 'twice', expect: expectDeparture(trace), promotedAt: rebasedAt })
  const golden = await readTraceText(text, 'twice')
  expect(await prepareIncidentRebase(golden, same('new', false), { rebasedAt })).toEqual({
    status: 'refused',
    reason: 'it is held as it is, and would be not exercised with the changed inputs before its trigger',
  })
})
