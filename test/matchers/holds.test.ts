import { expect, it } from 'vitest'
import { judge } from '../../src/matchers/holds.ts'
import type { Check, Golden } from '../../src/trace/run-row.ts'
import { buildDivergence, buildRun, buildStoppedRun, incidentSteps, toolStep, type RunSketch } from './build-run.ts'

const incident = (checks?: readonly Check[]): Partial<Golden> => ({
  name: 'refund-twice',
  expect: { replay: 'departs', at: 5, ...(checks === undefined ? {} : { checks }) },
})
const found = buildDivergence({ step: 4, name: 'find_refund', received: {} })
const fixed: RunSketch = {
  golden: incident(),
  recorded: incidentSteps,
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

it('holds the golden of an incident when the agent departs from it', () => {
  expect(judge(buildRun(fixed))).toEqual({ holds: true })
})

it('does not hold the golden of an incident when the agent makes the step', () => {
  expect(judge(buildRun({ golden: incident(), recorded: incidentSteps }))).toEqual({ holds: false, why: 'repeated', at: 5 })
  const extra = { ...fixed, steps: [...incidentSteps, toolStep(7, 'find_refund', {})], divergences: [found] }
  expect(judge(buildRun(extra))).toEqual({ holds: false, why: 'repeated', at: 5 })
})

it('does not hold the golden of an incident when the replay was stopped after the departure', () => {
  expect(judge(buildStoppedRun(found, fixed))).toEqual({ holds: false, why: 'stopped', divergence: found })
})

it('asks the departed run for the checks of the golden', () => {
  const passing = [
    { matcher: 'toHaveNoRepeatedSideEffects' },
    { matcher: 'toHaveCalledTool', args: ['find_refund', { order_id: 'ord_1001' }] },
    { matcher: 'toHaveCalledToolTimes', args: ['refund_order', { max: 1 }] },
  ]
  expect(judge(buildRun({ ...fixed, golden: incident(passing) }))).toEqual({ holds: true })
  const failing = [...passing, { matcher: 'toHaveCalledTool', args: ['find_refund', { order_id: 'ord_7' }] }]
  expect(judge(buildRun({ ...fixed, golden: incident(failing) }))).toEqual({
    holds: false,
    why: 'check-failed',
    check: {
      call: 'toHaveCalledTool("find_refund", {"order_id":"ord_7"})',
      message: `Expected "refund-twice" to call find_refund({"order_id":"ord_7"}). It called it with other arguments:
    1  find_refund({"order_id":"ord_1001"})
Step 7 differs in:
    order_id
      expected  "ord_7"
      received  "ord_1001"`,
    },
  })
})

it('asks for no repeated side effect where the golden has no checks and the recorded run repeated one', () => {
  const again = toolStep(8, 'refund_order', { order_id: 'ord_1001', amount: 20 }, { effect: 'write' })
  const other = { ...fixed, steps: [...(fixed.steps ?? []), again] }
  expect(judge(buildRun({ ...other, notes: ['repeated-side-effect'] }))).toMatchObject({
    why: 'check-failed',
    check: { call: 'toHaveNoRepeatedSideEffects()' },
  })
  expect(judge(buildRun({ ...other, golden: incident([]), notes: ['repeated-side-effect'] }))).toEqual({ holds: true })
  expect(judge(buildRun(other))).toEqual({ holds: true })
})

it.each(['toBeNice', 'toReplayWithoutDivergence', 'constructor'])('refuses the check %s, also on a run that was stopped', (matcher) => {
  const message =
    `The golden "refund-twice" asks for the check "${matcher}", which is none. Checks are: toHaveCalledTools, toHaveCalledTool, ` +
    'toHaveCalledToolTimes, toHaveReachedCheckpoint, toMatchCheckpoints, toHaveSideEffects, toHaveNoRepeatedSideEffects, toStayWithin. ' +
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
