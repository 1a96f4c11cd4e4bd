import { expect, it } from 'vitest'
import type { Cause } from '../../src/divergence/divergence.ts'
import { renderReport } from '../../src/divergence/create-report.ts'
import { buildDivergence, buildIncident, buildRun, buildStoppedRun, incidentSteps } from './build-run.ts'
import { failureOf } from './failure-of.ts'

const clean = buildRun()
const missing = buildRun({
  divergences: [buildDivergence({ cause: 'missing-call', step: 4 }), buildDivergence({ cause: 'outcome', step: 5, position: 'after' })],
})
const departs = { name: 'refund-twice', expect: { replay: 'departs', at: 5 } } as const

it('passes where nothing diverged', () => {
  expect(clean).toReplayWithoutDivergence()
  expect(missing).not.toReplayWithoutDivergence()
})

it('fails with the report', () => {
  expect(failureOf(() => expect(missing).toReplayWithoutDivergence())).toBe(renderReport(missing, { color: false, width: 120 }))
})

it('says so where something should have diverged', () => {
  expect(failureOf(() => expect(clean).not.toReplayWithoutDivergence())).toBe(
    'Expected "cancel-unshipped" to diverge, but the replay matched the recording in all 5 steps.',
  )
})

it('holds the golden of an incident to its departure', () => {
  const steps = incidentSteps.filter(({ step }) => step !== 5)
  const departed = buildRun({
    golden: departs,
    recorded: incidentSteps,
    steps,
    divergences: [buildDivergence({ cause: 'missing-call', step: 5 })],
    incident: buildIncident(),
  })
  const stop = { why: 'repeated', divergence: buildDivergence() } as const
  const repeated = buildStoppedRun(buildDivergence(), { golden: departs, recorded: incidentSteps, incident: buildIncident({ stop }) })
  expect(departed).toReplayWithoutDivergence()
  expect(repeated).not.toReplayWithoutDivergence()
  expect(failureOf(() => expect(repeated).toReplayWithoutDivergence())).toMatch(
    /^Failed to hold "refund-twice": the agent still repeats the incident\.\n/,
  )
  expect(failureOf(() => expect(departed).not.toReplayWithoutDivergence())).toBe(
    'Expected the golden of the incident "refund-twice" not to hold, but it does: exercised at step 4; departs after it: no refund_order.',
  )
})

it('tells of a failed check of an incident by its own message', () => {
  const golden = { ...departs, expect: { ...departs.expect, checks: [{ matcher: 'toHaveCalledTool', args: ['find_refund'] }] } } as const
  const divergences = [buildDivergence({ cause: 'missing-call', step: 5 })]
  const run = buildRun({ golden, recorded: incidentSteps, steps: incidentSteps.slice(0, 4), divergences, incident: buildIncident() })
  const message = failureOf(() => expect(run).toReplayWithoutDivergence())
  expect(message).toMatch(
    /^Failed to hold "refund-twice": the agent no longer repeats the incident, but does not pass toHaveCalledTool\("find_refund"\)\.\n/,
  )
  expect(message).toContain('    Expected "refund-twice" to call find_refund. It called:\n        1  get_order(')
})

it('tells where a run first diverges', () => {
  expect(missing).toDivergeAt(4)
  expect(missing).toDivergeAt(4, 'missing-call')
  expect(missing).not.toDivergeAt(4, 'input')
  expect(missing).not.toDivergeAt(5, 'outcome')
  expect(clean).not.toDivergeAt(4)
})

it('says where a run diverges instead', () => {
  expect(failureOf(() => expect(clean).toDivergeAt(4, 'input'))).toBe(
    'Expected "cancel-unshipped" to diverge at step 4 (input), but it did not diverge.',
  )
  const report = renderReport(missing, { color: false, width: 120 })
  expect(failureOf(() => expect(missing).toDivergeAt(3, 'unexpected-call'))).toBe(
    `Expected "cancel-unshipped" to diverge at step 3 (unexpected call), but the first to diverge is step 4 (missing call).\n\n${report}`,
  )
  expect(failureOf(() => expect(missing).not.toDivergeAt(4))).toBe(
    `Expected "cancel-unshipped" not to diverge at step 4, but the first to diverge is step 4 (missing call).\n\n${report}`,
  )
})

it('tells of the departure from an incident, not of its golden', () => {
  const run = buildStoppedRun(buildDivergence({ step: 4 }), { golden: departs, recorded: incidentSteps })
  expect(run).toDivergeAt(4)
  expect(failureOf(() => expect(run).toDivergeAt(1))).toContain(
    '\n\nFailed to replay "refund-twice": the call after step 4 diverged (unexpected call).',
  )
})

it.each([
  [-1, undefined, 'toDivergeAt: the option "step" has to be the number of a step, or 0 for before the first, got -1.'],
  ['4', undefined, 'toDivergeAt: the option "step" has to be the number of a step, or 0 for before the first, got "4".'],
  [
    4,
    'weather',
    'toDivergeAt: the option "cause" has to be one of input, unexpected-call, missing-call, order, time-limit, outcome, checkpoint, model-drift, unrecorded-contact, nondeterminism, got "weather".',
  ],
])('refuses to look at step %o for %o, negated too', (step, cause, message) => {
  expect(failureOf(() => expect(clean).toDivergeAt(step as number, cause as Cause))).toBe(message)
  expect(failureOf(() => expect(clean).not.toDivergeAt(step as number, cause as Cause))).toBe(message)
})
