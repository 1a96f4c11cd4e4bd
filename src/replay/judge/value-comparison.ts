import { compareValues } from '../../divergence/compare-inputs.ts'
import type { FieldDifference } from '../../divergence/divergence.ts'
import { canonical } from '../../trace/hash.ts'
import type { RunDraws } from './draws/run-draws.ts'
import { withoutLeftOutFields } from '../../divergence/left-out-fields.ts'
import type { HttpHead } from '../../trace/http-facts.ts'
import type { Plan } from '../calls/plan.ts'
import type { JudgedBy } from './finding.ts'

/** Compares states of checkpoints and outcomes, in recorded form, with recorded ones. */
export class ValueComparison {
  readonly #by: JudgedBy
  #leftOut: ReadonlySet<string> | undefined

  constructor(by: JudgedBy) {
    this.#by = by
  }

  /** The compared part of a value. */
  compared<Value>(value: Value): Value {
    this.#leftOut ??= leftOutOf(this.#by.plan)
    return this.#by.settings.rules.value(withoutLeftOutFields(value, this.#leftOut)) as Value
  }

  /** @param place The place of the recorded value in the trace. */
  isSame(expected: unknown, received: unknown, place: number): boolean {
    const [one, other] = [canonical(expected), canonical(received)]
    const { redaction, draws } = this.#by
    return redaction.isSame(one, other) ? draws.areSame(() => one, place) : draws.areAlike(one, other, place)
  }

  /** @param place The place of the recorded value in the trace. */
  differences(expected: unknown, received: unknown, root: string, place: number): FieldDifference[] {
    const { redaction, draws } = this.#by
    const compare = (value: unknown): FieldDifference[] => compareValues(expected, value, root, redaction.renaming)
    const isNone = ({ length }: readonly FieldDifference[]): boolean => length === 0
    return markDrawn(draws.compare(received, place, compare, isNone), draws)
  }
}

/** Returns the names of all headers that the trace leaves out. */
function leftOutOf({ steps }: Plan): Set<string> {
  const rows = [...steps.values()].flatMap(({ completions }) => completions)
  return new Set(
    rows.flatMap((row) => {
      const head = row.kind === 'head' ? row : row.kind === 'return' ? (row.output as Partial<HttpHead> | undefined) : undefined
      return Array.isArray(head?.leftOut) ? (head.leftOut as string[]) : []
    }),
  )
}

/**
 * Marks the fields that differ only in values read from the clock and random sources. Fields with corresponding draws are not differences.
 */
export function markDrawn(differences: readonly FieldDifference[], draws: RunDraws): FieldDifference[] {
  return differences.flatMap((difference): FieldDifference[] => {
    const [expected, received] = [JSON.stringify(difference.expected), JSON.stringify(difference.received)]
    if (expected === undefined || received === undefined || expected === received) return [difference]
    if (draws.areKnown(expected, received)) return []
    return [draws.areDrawn(expected, received) ? { ...difference, drawn: true } : difference]
  })
}
