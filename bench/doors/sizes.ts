import type { RoundsOptions } from '../rounds.ts'

/** How much is measured. */
export interface DoorsSizes {
  /** Calls of a tool in a run. */
  readonly calls: number
  /** Processes in a run. */
  readonly children: number
  readonly rounds: RoundsOptions
}
