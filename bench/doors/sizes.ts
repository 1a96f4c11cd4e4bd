import type { RoundsOptions } from '../rounds.ts'

/** How much is measured. */
export interface DoorsSizes {
  /** Tool calls in a run. */
  readonly calls: number
  /** Database queries in a run. */
  readonly queries: number
  /** Processes in a run. */
  readonly children: number
  readonly rounds: RoundsOptions
}
