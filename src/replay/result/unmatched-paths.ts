import { normalInput } from '../../divergence/normal-input.ts'
import type { PathRules } from '../../divergence/path-rules.ts'
import type { Trace } from '../../trace/trace.ts'
import { toRecorded } from '../../trace/values.ts'

/** The paths of rules that match nothing, neither in the values that a replay has compared so far nor in its trace. */
export function unmatchedPaths({ steps, checkpoints, end }: Pick<Trace, 'steps' | 'checkpoints' | 'end'>, rules: PathRules): string[] {
  if (rules.unmet.length > 0) {
    for (const { boundary, name, input } of steps) rules.input(boundary, normalInput(boundary, name, toRecorded(input)))
    for (const { state } of checkpoints) rules.value({ state: toRecorded(state) })
    rules.value({ output: toRecorded(end?.output), error: toRecorded(end?.error) })
  }
  return rules.unmet
}
