import { expect, it } from 'vitest'
import { judge } from '../../src/matchers/holds.ts'
import type { Check, Golden } from '../../src/trace/run-row.ts'
import { buildDivergence, buildIncident, buildRun, buildStoppedRun, incidentSteps, toolStep, type RunSketch } from './build-run.ts'

const incident = (checks?: readonly Check[]): Partial<Golden> => ({
  name: 'refund-twice',
  expect: { replay: 'departs', at: 5, ...(checks === undefined ? {} : { checks }) },
})
const found = buildDivergence({ step: 4, name: 'find_refund', received: {} })
const fixed: RunSketch = {
  golden: incident(),
  recorded: incidentSteps,
  incident: buildIncident(),
  steps: [...incidentSteps.filter(({ step }) => step !== 5), toolStep(7, 'find_refund', { order_id: 'ord_1001' })],
  divergences: [found, buildDivergence({ cause: 'missing-call', step: 5, consequence: true })],
}

it('holds a golden, and a recording, that nothing diverges from', () => {
  expect(judge(buildRun())).toEqual({ holds: true })
  expect(judge(buildRun({ golden: null }))).toEqual({ holds: true })
})

it('does not hold a golden that a replay diverges from, with the earliest divergence', () => {
  const divergences = [buildDivergence({ cause: 'order', step: 2 }), found]
  expect(judge(buildRun({ divergences }))).toEqual({ holds: false, why: 'diverged', divergence: divergences[0] })
  expect(judge(buildRun({ outcome: { status: 'stopped', divergence: found } }))).toEqual({
    holds: false,
    why: 'diverged',
    divergence: found,
  })
})

const about = { trigger: 4, at: 5, drift: [], departure: found }

it('holds the golden of an incident that was exercised and not repeated', () => {
  expect(judge(buildRun(fixed))).toEqual({ holds: true, incident: { ...about, word: 'held', repeatedSafely: false } })
})

it('does not hold the golden of an incident that was repeated, whatever else is to be said', () => {
  const stop = { why: 'repeated', divergence: found } as const
  const verdict = { holds: false, why: 'repeated', incident: { ...about, word: 'repeated', divergence: found } }
  expect(judge(buildStoppedRun(found, { ...fixed, incident: buildIncident({ stop }) }))).toEqual(verdict)
  expect(judge(buildStoppedRun(found, { ...fixed, incident: buildIncident({ stop, exercised: false }) }))).toEqual(verdict)
})

it.each([
  ['the trigger was not reached', { exercised: false }, { reason: 'trigger' }],
  ['a call has no answer', { stop: { why: 'unanswered', divergence: found } }, { reason: 'unanswered', divergence: found }],
  [
    'a write before the trigger is new',
    { stop: { why: 'write', divergence: found }, exercised: false },
    { reason: 'write-before', divergence: found },
  ],
  ['a write before the trigger was left out', { writesLeftOut: [2] }, { reason: 'write-before', steps: [2] }],
] as const)('does not hold the golden of an incident where %s', (_why, fields, reason) => {
  const run = buildStoppedRun(found, { ...fixed, incident: buildIncident(fields) })
  expect(judge(run)).toEqual({ holds: false, why: 'not exercised', incident: { ...about, word: 'not exercised', ...reason } })
})

it('does not hold the golden of an incident whose run never ended, whose steps are unknown, or that nothing checks', () => {
  expect(judge(buildStoppedRun(found, fixed))).toMatchObject({ why: 'not exercised', incident: { reason: 'stuck', divergence: found } })
  const { incident: _, ...unknown } = fixed
  expect(judge(buildRun(unknown))).toMatchObject({ why: 'not exercised', incident: { reason: 'unknown-step' } })
  const built = buildIncident()
  const unchecked = { ...fixed, incident: { ...built, incident: { ...built.incident, repeats: false } } }
  expect(judge(buildRun(unchecked))).toMatchObject({ why: 'not exercised', incident: { reason: 'unchecked' } })
  expect(judge(buildRun({ ...unchecked, golden: incident([{ matcher: 'toHaveCalledTool', args: ['find_refund'] }]) }))).toMatchObject({
    holds: true,
  })
})

it('fails a run that throws what no check expects, or that makes a write which is not allowed', () => {
  const error = new TypeError('no refund')
  const threw = { ...fixed, outcome: { status: 'threw', error } } as const
  expect(judge(buildRun(threw))).toMatchObject({ why: 'failed', incident: { failure: { reason: 'error', error } } })
  const expected = incident([{ matcher: 'toHaveOutcome', args: [{ status: 'threw', error: { name: 'TypeError' } }] }])
  expect(judge(buildRun({ ...threw, golden: expected }))).toMatchObject({ holds: true })
  const stop = { why: 'write', divergence: found } as const
  expect(judge(buildStoppedRun(found, { ...fixed, incident: buildIncident({ stop }) }))).toMatchObject({
    why: 'failed',
    incident: { failure: { reason: 'write', divergence: found } },
  })
})

it('does not count a tool that the model asked for and that never ran', () => {
  const checks = [{ matcher: 'toHaveCalledTool', args: ['get_order'] }]
  const steps = incidentSteps.filter(({ boundary }) => boundary === 'model')
  expect(judge(buildRun({ ...fixed, steps, golden: incident(checks) }))).toMatchObject({ why: 'failed' })
})

it('asks the departed run for the checks of the golden', () => {
  const passing = [
    { matcher: 'toHaveNoRepeatedSideEffects' },
    { matcher: 'toHaveCalledTool', args: ['find_refund', { order_id: 'ord_1001' }] },
    { matcher: 'toHaveCalledToolTimes', args: ['refund_order', { max: 1 }] },
  ]
  expect(judge(buildRun({ ...fixed, golden: incident(passing) }))).toMatchObject({ holds: true })
  const failing = [...passing, { matcher: 'toHaveCalledTool', args: ['find_refund', { order_id: 'ord_7' }] }]
  expect(judge(buildRun({ ...fixed, golden: incident(failing) }))).toMatchObject({
    holds: false,
    why: 'failed',
    incident: {
      failure: {
        check: {
          call: 'toHaveCalledTool("find_refund", {"order_id":"ord_7"})',
          message: `Expected "refund-twice" to call find_refund({"order_id":"ord_7"}). It called it with different arguments:
    1  find_refund({"order_id":"ord_1001"})
Step 7 differs in:
    order_id
      expected  "ord_7"
      received  "ord_1001"`,
        },
      },
    },
  })
})

it.each(['toBeNice', 'toReplayWithoutDivergence', 'constructor'])('refuses the check %s, also on a run that was stopped', (matcher) => {
  const message =
    `The golden "refund-twice" names the check "${matcher}", which does not exist. The checks are: toHaveCalledTools, toHaveCalledTool, ` +
    'toHaveCalledToolTimes, toHaveReachedCheckpoint, toMatchCheckpoints, toHaveSideEffects, toHaveNoRepeatedSideEffects, ' +
    'toHaveExecutedAsApproved, toHaveSentRequest, toHaveOutcome, toHaveOutcomeContaining, toStayWithin. ' +
    'Promote the incident again with one of them (--check), or correct the name in the golden.'
  const golden = incident([{ matcher }])
  expect(() => judge(buildRun({ ...fixed, golden }))).toThrow(expect.objectContaining({ message, code: 'GOLDENRUN_UNKNOWN_CHECK' }))
  expect(() => judge(buildStoppedRun(found, { ...fixed, golden }))).toThrow(expect.objectContaining({ message }))
})

it('compares arguments of checks as toMatchObject does', () => {
  const steps = [toolStep(1, 'f', { list: [{ a: 1, b: 2 }], deep: { c: null, d: 'x' } })]
  const call = (args: unknown): boolean =>
    judge(buildRun({ ...fixed, steps, golden: incident([{ matcher: 'toHaveCalledTool', args: ['f', args] }]) })).holds
  expect(call({})).toBe(true)
  expect(call({ list: [{ a: 1 }] })).toBe(true)
  expect(call({ deep: { c: null } })).toBe(true)
  expect(call({ list: [] })).toBe(false)
  expect(call({ list: [{ a: 2 }] })).toBe(false)
  expect(call({ deep: { c: {} } })).toBe(false)
  expect(call({ deep: { e: null } })).toBe(false)
  expect(call({ constructor: null })).toBe(false)
})
