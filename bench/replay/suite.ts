import type { Suite } from '../figures.ts'
import { measureConversations } from './conversation-cost.ts'
import { measureEightySeconds } from './eighty-seconds/measure.ts'
import { measureGoldenSize } from './golden-size.ts'
import { measureGrowth } from './growth.ts'
import { measureMemory } from './memory/measure.ts'
import { measurePeerCost } from './peer-cost.ts'
import { FULL, QUICK } from './sizes.ts'
import { measureStepCost } from './step-cost.ts'

/** What a replay costs in time and memory, and what a golden takes to keep. */
export const measureReplay: Suite = async (note, options) => {
  const sizes = options.quick ? QUICK : FULL
  // Costs first: what the sizes are taken of fills the heap. The peers after them: loading one of them replaces globals.
  const costs = {
    ...(await measureStepCost(note, sizes)),
    ...(await measureEightySeconds(note, sizes)),
    ...(await measureGrowth(note, sizes)),
    ...(await measureConversations(note, sizes)),
  }
  const peers = await measurePeerCost(note, sizes)
  // Neither of these two is a time: they may run at once.
  const [memory, goldens] = await Promise.all([measureMemory(note, sizes), measureGoldenSize(note, sizes)])
  return { metrics: { ...costs, ...peers.metrics, ...memory, ...goldens.metrics }, absences: { ...peers.absences, ...goldens.absences } }
}
