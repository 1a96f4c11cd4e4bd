import type { RawEntry } from './raw-entry.ts'

/** Returns whether an entry begins a call. */
export function isCall(entry: RawEntry): boolean {
  return entry.kind === 'request' || (entry.kind === 'row' && entry.row.kind === 'call')
}

/** Returns whether an entry settles a call. */
export function settles(entry: RawEntry): boolean {
  return entry.kind === 'settled' || (entry.kind === 'row' && (entry.row.kind === 'return' || entry.row.kind === 'throw'))
}

/** Returns whether an entry is part of an answer or of a child process's output. */
export function isPart({ kind }: RawEntry): boolean {
  return kind === 'head' || kind === 'piece' || kind === 'output'
}

/** Returns whether the entry shows the run something that happened in the world. */
export function isCompletion(entry: RawEntry): boolean {
  if (isPart(entry)) return true
  if (entry.kind !== 'settled' && entry.kind !== 'row') return false
  const { row } = entry
  if (row.kind === 'return' || row.kind === 'throw') return row.by !== 'agent' && row.sync !== true
  return row.kind === 'timer' || row.kind === 'signal'
}

/** Returns the step to which an entry belongs. */
export function stepOf(entry: RawEntry): number | undefined {
  if (entry.kind === 'settled') return entry.row.step
  if (entry.kind === 'row') return 'step' in entry.row ? entry.row.step : undefined
  return entry.kind === 'reads' ? undefined : entry.step
}
