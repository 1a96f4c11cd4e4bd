import type { Suite } from '../figures.ts'
import { measureStepCost } from './step-cost.ts'

/** What a replay costs, and what it needs to be kept. */
export const measureReplay: Suite = async (note) => ({ ...(await measureStepCost(note)) })
