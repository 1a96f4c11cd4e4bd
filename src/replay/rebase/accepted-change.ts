import type { Divergence, FieldDifference } from '../../divergence/divergence.ts'

/** Something that a rebase takes over. The same one may stand at several steps, and in many goldens. */
export interface AcceptedChange {
  /** Of what: `input of openai.chat`, `outcome`, `checkpoint "order-found"`. */
  readonly of: string
  /** Where in it, whatever the item: `tools[*].function.description`; empty for the whole. */
  readonly path: string
  /** As it was, and as it is now; undefined for nothing. */
  readonly expected: unknown
  readonly received: unknown
}

/** The changes of a run's divergences, each once. */
export function changesOf(divergences: readonly Divergence[]): AcceptedChange[] {
  const changes = divergences.flatMap((divergence) => differencesOf(divergence).map((difference) => toChange(divergence, difference)))
  return [...new Map(changes.map((change) => [keyOf(change), change])).values()]
}

/** What two changes have in common that are the same one. */
export function keyOf({ of, path, expected, received }: AcceptedChange): string {
  return JSON.stringify([of, path, expected ?? null, received ?? null, expected === undefined, received === undefined])
}

/** A checkpoint that is new or left out differs as a whole. */
function differencesOf({ differences, expected, received }: Divergence): readonly FieldDifference[] {
  return differences.length > 0 ? differences : [{ path: '', expected, received }]
}

function toChange({ cause, name = '' }: Divergence, { path, expected, received }: FieldDifference): AcceptedChange {
  const of = cause === 'outcome' ? 'outcome' : cause === 'checkpoint' ? `checkpoint "${name}"` : `input of ${name}`
  return { of, path: path.replaceAll(/\[\d+\]/g, '[*]'), expected, received }
}
