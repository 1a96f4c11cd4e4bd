import type { RunSummary } from '../run-summary.ts'
import type { Stamp } from '../store-files.ts'
import { readSummary } from './read-summary.ts'

/** A run in the index. */
export interface IndexedRun {
  readonly id: string
  /** Absent if the recording cannot be read. */
  readonly summary?: RunSummary
  /** Why it cannot be read. */
  readonly problem?: string
  /** The recording's size in bytes and its modification time in milliseconds when it was read; 0 if unknown. */
  readonly size: number
  readonly changed: number
}

/** Converts a row of the index to a run. */
export function toIndexedRun({ id, summary, problem, size, changed }: Record<string, unknown>): IndexedRun {
  return {
    id: String(id),
    ...(typeof summary === 'string' ? { summary: readSummary(summary) } : {}),
    ...(typeof problem === 'string' ? { problem } : {}),
    size: Number(size),
    changed: Number(changed),
  }
}

/** Converts a summary to an indexed run, with the size of its recording and the users' flags. */
export function toIndexed(summary: RunSummary, stamp: Stamp, flags: readonly string[]): IndexedRun {
  return { id: summary.id, summary: { ...summary, flags: [...summary.flags, ...flags], bytes: stamp.size }, ...stamp }
}
