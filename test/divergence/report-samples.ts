import { compareInputs, compareValues } from '../../src/divergence/compare-inputs.ts'
import type { Divergence } from '../../src/divergence/divergence.ts'
import { createReport, reportDivergences } from '../../src/divergence/create-report.ts'
import type { Report } from '../../src/divergence/report/report.ts'
import { buildDivergence, buildRun, buildStoppedRun, cancelSteps, incidentSteps, modelStep, toolStep } from '../matchers/build-run.ts'

const golden = {
  description: 'Cancels an order that has not shipped.',
  expectedOutcome: 'The order is cancelled, and nothing is refunded.',
}

const tool = { boundary: 'tool', name: 'cancel_order' } as const

/** A report for every cause there is, and for what incidents come to. */
export const reportSamples: Readonly<Record<string, () => Report>> = {
  input: () => {
    const differences = compareInputs('tool', 'cancel_order', { id: 'ord_1', by: 'agent' }, { id: 'ord_2' })
    return stopped({ ...tool, cause: 'input', step: 4, parts: ['args'], differences })
  },
  'input-long-prompt': () => stopped(changedPrompt('thirty', 'sixty')),
  'unexpected-call': () => {
    const recorded = [...cancelSteps, toolStep(6, 'refund_order', { id: 'ord_7' }, { effect: 'write' })]
    const differences = compareInputs('tool', 'refund_order', { id: 'ord_7' }, { id: 'ord_1' })
    const divergence = buildDivergence({ nearest: [{ step: 6, name: 'refund_order', differences, agrees: [] }] })
    return createReport(buildStoppedRun(divergence, { golden, recorded, steps: cancelSteps.slice(0, 3) }))
  },
  'missing-call': () => {
    const divergences = [
      buildDivergence({ ...tool, cause: 'missing-call', step: 4 }),
      buildDivergence({ cause: 'input', step: 5, parts: ['messages'], consequence: true }),
      buildDivergence({ cause: 'outcome', step: 5, position: 'after', consequence: true }),
    ]
    return createReport(buildRun({ golden, divergences }))
  },
  order: () => createReport(buildRun({ golden, divergences: [buildDivergence({ ...tool, cause: 'order', step: 4, before: 2 })] })),
  'time-limit': () => {
    const fields = { cause: 'time-limit', step: 4, expected: { took: 200.4 }, received: { limit: 1, after: 1 } } as const
    return createReport(buildRun({ golden, divergences: [buildDivergence({ ...tool, ...fields })] }))
  },
  outcome: () => {
    const [expected, received] = [{ output: { reply: 'Cancelled.' } }, { output: { reply: 'Done.' } }]
    const differences = compareValues(expected, received)
    return createReport(
      buildRun({
        golden,
        divergences: [buildDivergence({ cause: 'outcome', step: 5, position: 'after', expected, received, differences })],
      }),
    )
  },
  'outcome-of-a-step': () => {
    const [expected, received] = [{ output: { status: 'packed' } }, { output: { status: 'sent' } }]
    const differences = compareValues(expected, received)
    const fields = { boundary: 'tool', name: 'get_order', cause: 'outcome', step: 2, expected, received, differences } as const
    const { site: _, ...divergence } = buildDivergence(fields)
    return reportDivergences({ ...buildRun({ golden, divergences: [divergence] }), other: '20260214-093000-4d5e6f' })
  },
  checkpoint: () => {
    const [expected, received] = [{ order: { status: 'packed' } }, { order: { status: 'sent' } }]
    const differences = compareValues(expected, received)
    const fields = { cause: 'checkpoint', step: 2, position: 'after', name: 'order-found', expected, received, differences } as const
    return createReport(buildRun({ golden, divergences: [buildDivergence(fields)] }))
  },
  'model-drift': () => {
    const differences = [{ path: 'model', part: 'model', expected: 'gpt-4.1-mini', received: 'gpt-5' }] as const
    return stopped({ cause: 'model-drift', step: 1, boundary: 'model', name: 'openai.chat', parts: ['model'], differences })
  },
  'unrecorded-contact': () => stopped({ cause: 'unrecorded-contact', step: 2, position: 'after', name: 'tcp db.example.com:5432' }),
  nondeterminism: () => {
    const fields = { cause: 'nondeterminism', step: 2, boundary: 'external', name: 'fetch_token', processState: 'fetch_token' } as const
    return createReport(buildRun({ golden, divergences: [buildDivergence({ ...fields, expected: {}, received: undefined })] }))
  },
  'incident-repeated': () => {
    const input = { order_id: 'ord_1001', amount: 19 }
    const differences = compareInputs('tool', 'refund_order', { order_id: 'ord_1001', amount: 20 }, input)
    const nearest = [{ step: 5, name: 'refund_order', differences, agrees: ['order_id'] }]
    const divergence = buildDivergence({ step: 4, name: 'refund_order', received: input, nearest })
    return createReport(buildStoppedRun(divergence, { golden: incident, recorded: incidentSteps }), {
      ...about,
      word: 'repeated',
      divergence,
    })
  },
  'incident-not-exercised': () => {
    const divergence = buildDivergence({ step: 4, name: 'find_refund', received: { order_id: 'ord_1001' } })
    const run = buildStoppedRun(divergence, { golden: incident, recorded: incidentSteps, steps: incidentSteps.slice(0, 4) })
    return createReport(run, { ...about, word: 'not exercised', reason: 'unanswered', divergence })
  },
  'incident-check': () => {
    const run = buildRun({ golden: incident, recorded: incidentSteps, steps: incidentSteps.slice(0, 4) })
    const check = { call: 'toHaveCalledTool("find_refund")', message: 'Expected it to call find_refund.\nIt called:\n    1  get_order' }
    return createReport(run, { ...about, word: 'failed', failure: { reason: 'check', check } })
  },
}

/** Of the verdict on an incident. */
const about = {
  trigger: 4,
  at: 5,
  drift: [],
  departure: buildDivergence({ step: 4, name: 'find_refund', received: { order_id: 'ord_1001' } }),
}

const incident = {
  name: 'refund-twice',
  description: 'The payment service answered late, and the refund was booked twice.',
  expectedOutcome: 'One refund.',
  expect: { replay: 'departs', at: 5, checks: [{ matcher: 'toHaveNoRepeatedSideEffects' }] },
} as const

/** A system prompt of 100 kB in which one word changed; what else it holds differs from trace to trace. */
export function changedPrompt(from: string, to: string, customer: string = 'Mia'): Partial<Divergence> {
  const prompt = (days: string): string =>
    `${`You help ${customer}, a customer of a shop. `.repeat(1500)}You refund within ${days} days of delivery.\n${'Be polite to them. '.repeat(2500)}`
  const [recorded, live] = [from, to].map((days) => modelStep(1, [{ role: 'system', content: prompt(days) }], {}).input)
  const differences = compareInputs('model', 'openai.chat', recorded, live)
  return { cause: 'input', step: 1, boundary: 'model', name: 'openai.chat', parts: ['system-prompt'], differences }
}

/** The report of a run that was stopped at a divergence, of a golden of this name. */
export function stopped(fields: Partial<Divergence>, name: string = 'cancel-unshipped'): Report {
  return createReport(buildStoppedRun(buildDivergence(fields), { golden: { ...golden, name } }))
}
