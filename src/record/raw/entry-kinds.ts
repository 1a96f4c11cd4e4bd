import type { RawEntry } from './raw-entry.ts'

/** Whether a call settles by an entry. */
export function settles(entry: RawEntry): boolean {
  return entry.kind === 'settled' || (entry.kind === 'row' && (entry.row.kind === 'return' || entry.row.kind === 'throw'))
}

/** Whether it is a part of an answer, or of what a child process puts out. */
export function isPart({ kind }: RawEntry): boolean {
  return kind === 'head' || kind === 'piece' || kind === 'output'
}

/** Whether the run sees something that the world did. */
export function isCompletion(entry: RawEntry): boolean {
  if (isPart(entry)) return true
  if (entry.kind !== 'settled' && entry.kind !== 'row') return false
  const { row } = entry
  if (row.kind === 'return' || row.kind === 'throw') return row.by !== 'agent' && row.sync !== true
  return row.kind === 'timer' || row.kind === 'signal'
}

/** The step that an entry is of. */
export function stepOf(entry: RawEntry): number | undefined {
  if (entry.kind === 'settled') return entry.row.step
  if (entry.kind === 'row') return 'step' in entry.row ? entry.row.step : undefined
  return entry.kind === 'reads' ? undefined : entry.step
}
