import type { Suite } from '../figures.ts'
import { measureConversations } from './conversation-cost.ts'
import { measureEightySeconds } from './eighty-seconds/measure.ts'
import { measureGoldenSize } from './golden-size.ts'
import { measureGrowth } from './growth.ts'
import { measureMemory } from './memory/measure.ts'
import { measurePeerCost } from './peer-cost.ts'
import { FULL, QUICK } from './sizes.ts'
import { measureStepCost } from './step-cost.ts'

/** Measures what a replay costs in time and memory, and the size of a golden. */
export const measureReplay: Suite = async (note, options) => {
  const sizes = options.quick ? QUICK : FULL
  // Costs come first, because what the sizes are measured on fills the heap. The peers come after them, because loading one of them replaces globals.
  const costs = {
    ...(await measureStepCost(note, sizes)),
    ...(await measureEightySeconds(note, sizes)),
    ...(await measureGrowth(note, sizes)),
    ...(await measureConversations(note, sizes)),
  }
  const peers = await measurePeerCost(note, sizes)
  // Neither is a time, so they may run concurrently.
  const [memory, goldens] = await Promise.all([measureMemory(note, sizes), measureGoldenSize(note, sizes)])
  return { metrics: { ...costs, ...peers.metrics, ...memory, ...goldens.metrics }, absences: { ...peers.absences, ...goldens.absences } }
}
