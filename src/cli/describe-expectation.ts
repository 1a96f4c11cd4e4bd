import { printCheck } from '../divergence/report/next-commands.ts'
import type { Expectation } from '../trace/run-row.ts'
import { valueText } from './describe-step.ts'

/** Describes when a golden holds: `the agent, after step 2, does not make step 3 again, and passes toHaveCalledTool("find_refund")`. */
export function describeExpectation(expect: Expectation): string {
  if (expect.replay === 'same') return 'the run is the same'
  const { trigger = 'input', at, answers = {}, checks = [], allowWrites = [], tools = {} } = expect
  const names = Object.keys(answers)
  return [
    `the agent, after ${trigger === 'input' ? 'its input' : `step ${trigger}`}, does not make step ${at} again`,
    ...(checks.length === 0 ? [] : [`passes ${checks.map((check) => printCheck(check, valueText)).join(' and ')}`]),
    ...(names.length === 0 ? [] : [`with answers for ${names.join(', ')}`]),
    ...(allowWrites.length === 0 ? [] : [`may write ${allowWrites.join(', ')}`]),
    ...Object.keys(tools).map((name) => `${name} runs`),
  ].join(', ')
}
