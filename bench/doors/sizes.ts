import type { RoundsOptions } from '../rounds.ts'

/** How much is measured. */
export interface DoorsSizes {
  /** Calls of a tool in a run. */
  readonly calls: number
  /** Queries of a database in a run. */
  readonly queries: number
  /** Processes in a run. */
  readonly children: number
  readonly rounds: RoundsOptions
}
