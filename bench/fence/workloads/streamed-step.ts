import { replayGolden } from './replay-golden.ts'
import type { Workload } from './workload.ts'

/** A step of a replay, with an answer streamed in twenty pieces. */
export const workload: Workload = replayGolden('streamed-step', { warmUp: 8, measured: 25 })
