import { replayGolden } from './replay-golden.ts'
import type { Workload } from './workload.ts'

/** A step of a replayed conversation of 300 calls, each of which resends its history. */
export const workload: Workload = replayGolden('conversation', { warmUp: 1, measured: 3 })
