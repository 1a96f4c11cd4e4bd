import { eightySeconds } from './eighty-seconds.ts'
import { createInterleavedStreams } from './interleaved-streams.ts'
import { createOwnWork } from './own-work.ts'
import type { Program } from './program.ts'
import { createRacingCalls } from './racing-calls.ts'

/** What is replayed a thousand times, by name. */
export const programs: Readonly<Record<string, (seed: string) => Program>> = {
  'racing-calls': createRacingCalls,
  'interleaved-streams': createInterleavedStreams,
  'own-work': createOwnWork,
  'eighty-seconds': () => eightySeconds,
}
