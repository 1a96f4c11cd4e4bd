import { noRules } from '../../divergence/path-rules.ts'
import type { CallRow } from '../../trace/rows.ts'
import { type ReplayedInput, RecordedInput } from '../calls/replayed-input.ts'

/** A recorded input in place of a replayed one. */
export function comparedInput(row: CallRow): ReplayedInput {
  const input = new RecordedInput(row, noRules)
  return {
    get value() {
      return input.value
    },
    get canonical() {
      return input.canonical
    },
    get blanked() {
      return input.blanked
    },
    isSameAs: (recorded) => recorded.canonical === input.canonical,
  }
}
