import { replayGolden } from './replay-golden.ts'
import type { Workload } from './workload.ts'

/** A step of a replay, with a JSON answer. */
export const workload: Workload = replayGolden('replayed-step', { warmUp: 8, measured: 20 })
