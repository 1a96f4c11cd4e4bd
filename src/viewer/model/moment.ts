import { valueDifferences } from '../../divergence/value-differences.ts'
import { omitUndefined } from '../../trace/json.ts'
import { toPath } from '../../trace/path.ts'
import type { CheckpointRow } from '../../trace/rows.ts'
import type { Entry, ViewedRun, ViewedStep } from './viewed-run.ts'

/** The state of the run at an entry. */
export interface Moment {
  /** The steps in flight, without the entry's own step. */
  readonly inFlight: readonly ViewedStep[]
  /** The last checkpoint. */
  readonly checkpoint?: CheckpointRow
  /** The latest model call so far. It holds the conversation so far. */
  readonly modelCall?: ViewedStep
  readonly next?: Entry
}

/** Returns the state of a run at an entry. */
export function momentAt({ trace, entries, steps }: ViewedRun, entry: Entry): Moment {
  const index = entries.indexOf(entry)
  const before = new Set(entries.slice(0, index + 1).flatMap((each) => (each.kind === 'step' ? [each.step] : [])))
  const own = entry.kind === 'step' ? entry.step : undefined
  const inFlight = [...before].filter((each) => each !== own && each.step.at <= entry.at && (each.step.settledAt ?? Infinity) > entry.at)
  const seen = entries.slice(0, index + 1).findLast(({ kind }) => kind === 'checkpoint')
  const checkpoint = seen?.kind === 'checkpoint' ? seen.checkpoint.row : undefined
  const modelCall = [...steps.values()].findLast((each) => before.has(each) && each.step.boundary === 'model')
  const following = entries[index + 1]
  // If a recording breaks off, the next entry is not known.
  const next = following?.kind === 'outcome' && trace.end === undefined ? undefined : following
  return { inFlight, ...omitUndefined({ checkpoint, modelCall, next }) }
}

/** A field that differs between two values. */
export interface FieldChange {
  readonly path: string
  /** Absent if the field is new. */
  readonly before?: unknown
  /** Absent if the field is gone. */
  readonly after?: unknown
}

/** At most this many changes are listed. */
const mostChanges = 200

/** Returns the fields in which two values differ. @param root The start of their paths. */
export function fieldChanges(before: unknown, after: unknown, root: string): FieldChange[] {
  return valueDifferences(before, after, Object.is)
    .slice(0, mostChanges)
    .map(({ keys, expected, received }) => ({ path: toPath(keys, root), ...omitUndefined({ before: expected, after: received }) }))
}
