import type { Divergence, FieldDifference } from '../../../divergence/divergence.ts'
import { excerptsOf } from '../../../divergence/report/excerpts.ts'
import { printValue } from '../../../divergence/print-value.ts'
import { digest } from '../../traces/digest.ts'

/** A change that a rebase accepts. It may occur at several steps and in many goldens. */
export interface AcceptedChange {
  /** What changed: `input of openai.chat`, `outcome`, `checkpoint "order-found"`. */
  readonly of: string
  /** The path, with items as wildcards: `tools[*].function.description`; empty for the whole. */
  readonly path: string
  /** The old and new value, one line each; undefined if absent. For long texts, the first place where they differ. */
  readonly expected: string | undefined
  readonly received: string | undefined
  /** Equal for the same change in any golden. */
  readonly key: string
}

/** Characters of a line. */
const room = 100

/** The changes of a run's divergences, each once. */
export function changesOf(divergences: readonly Divergence[]): AcceptedChange[] {
  const changes = divergences.flatMap((divergence) => differencesOf(divergence).map((difference) => toChange(divergence, difference)))
  return [...new Map(changes.map((change) => [change.key, change])).values()]
}

/** A new or missing checkpoint differs as a whole. */
function differencesOf({ differences, expected, received }: Divergence): readonly FieldDifference[] {
  return differences.length > 0 ? differences : [{ path: '', expected, received }]
}

function toChange({ cause, name = '' }: Divergence, { path, expected, received }: FieldDifference): AcceptedChange {
  const of = cause === 'outcome' ? 'outcome' : cause === 'checkpoint' ? `checkpoint "${name}"` : `input of ${name}`
  const place = path.replaceAll(/\[\d+\]/g, '[*]')
  const key = digest(JSON.stringify([of, place, [expected], [received], expected === undefined, received === undefined]))
  return { of, path: place, ...printed(expected, received), key }
}

function printed(expected: unknown, received: unknown): Pick<AcceptedChange, 'expected' | 'received'> {
  const [pair] = typeof expected === 'string' && typeof received === 'string' ? excerptsOf(expected, received, room).pairs : []
  if (pair === undefined) return { expected: print(expected), received: print(received) }
  const [from, to] = [pair.expected, pair.received].map(({ before, changed, after }) => `${before}${changed}${after}`)
  return { expected: from, received: to }
}

function print(value: unknown): string | undefined {
  return value === undefined ? undefined : printValue(value, room)
}
