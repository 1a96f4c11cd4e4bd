import type { Suite } from '../figures.ts'
import { measureEightySeconds } from './eighty-seconds/measure.ts'
import { measureGoldenSize } from './golden-size.ts'
import { measureGrowth } from './growth.ts'
import { measureMemory } from './memory/measure.ts'
import { measurePeerCost } from './peer-cost.ts'
import { measureStepCost } from './step-cost.ts'

/** What a replay costs in time and memory, and what a golden takes to keep. */
export const measureReplay: Suite = async (note) => {
  // Costs first: what the sizes are taken of fills the heap. The peers after them: loading one of them replaces globals.
  const costs = { ...(await measureStepCost(note)), ...(await measureEightySeconds(note)), ...(await measureGrowth(note)) }
  const peers = await measurePeerCost(note)
  // Neither of these two is a time: they may run at once.
  const [memory, sizes] = await Promise.all([measureMemory(note), measureGoldenSize(note)])
  return { metrics: { ...costs, ...peers.metrics, ...memory, ...sizes }, absences: peers.absences }
}
