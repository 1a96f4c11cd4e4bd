import type { Check, Expectation } from '../trace/run-row.ts'
import { valueText } from './describe-step.ts'

/** When a golden holds: `the agent departs at or before step 3, then toHaveNoRepeatedSideEffects()`. */
export function describeExpectation(expect: Expectation): string {
  if (expect.replay === 'same') return 'the run is the same'
  const { at, answers = {}, checks = [] } = expect
  const names = Object.keys(answers)
  return [
    `the agent departs at or before step ${at}`,
    ...(names.length === 0 ? [] : [`with answers for ${names.join(', ')}`]),
    ...(checks.length === 0 ? [] : [`then ${checks.map(describeCheck).join(', ')}`]),
  ].join(', ')
}

function describeCheck({ matcher, args = [] }: Check): string {
  return `${matcher}(${args.map(valueText).join(', ')})`
}
