import type { Suite } from '../figures.ts'
import { measureGoldenSize } from './golden-size.ts'
import { measureStepCost } from './step-cost.ts'

/** What a replayed step costs, and what a golden takes to keep. */
export const measureReplay: Suite = async (note) => {
  // Costs first: what the sizes are taken of fills the heap.
  const costs = await measureStepCost(note)
  return { ...costs, ...(await measureGoldenSize(note)) }
}
