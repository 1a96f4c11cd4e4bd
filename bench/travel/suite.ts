import type { Suite } from '../figures.ts'
import { measureMoments, type MomentSizes } from './moments.ts'
import { measureSamples } from './samples.ts'

const FULL: MomentSizes = { turns: [28, 300], resumed: [100, 1000, 3000], rounds: { rounds: 9, warmUp: 2, seconds: 40 } }

/** Everything once, and small, to see whether the suite works at all. Its figures mean nothing. */
const QUICK: MomentSizes = { turns: [28], resumed: [10], rounds: { rounds: 1, warmUp: 0, seconds: 0 } }

/** Measures going back to a moment of a run, and whether many forks of one moment stay separate. */
export const measureTravel: Suite = async (note, { quick }) => ({
  metrics: { ...(await measureMoments(note, quick ? QUICK : FULL)), ...(await measureSamples(note, quick ? 16 : 40)) },
})
