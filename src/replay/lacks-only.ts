import { compareInputs } from '../divergence/compare-inputs.ts'
import type { FieldDifference } from '../divergence/divergence.ts'
import type { StandInRenaming } from '../divergence/stand-ins.ts'
import type { PathRules } from '../divergence/path-rules.ts'
import { toRecorded } from '../trace/values.ts'
import type { LiveCall } from './live-call.ts'
import type { PlannedStep } from './plan.ts'

/**
 * Whether a call's input differs from a recorded one's by nothing but what it lacks, as a conversation does when one of its tool calls was not
 * made: fields and items that are not there, words that are left out of a text.
 */
export function lacksOnly(
  { boundary, name, input }: LiveCall,
  { call }: PlannedStep,
  rules: PathRules,
  renaming: StandInRenaming,
): boolean {
  return compareInputs(boundary, name, toRecorded(call.input), input?.value, rules, renaming).every((difference) => isLack(difference))
}

function isLack({ expected, received }: FieldDifference): boolean {
  if (typeof received !== 'string' || typeof expected !== 'string') return received === undefined
  const words = expected.split(/\s+/)
  let next = 0
  return received.split(/\s+/).every((word) => (next = words.indexOf(word, next) + 1) > 0)
}
