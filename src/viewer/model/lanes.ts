import type { Step } from '../../trace/trace.ts'

/**
 * A lane for each step, so that steps that were in flight together lie beside each other: the first lane that is free, below the lane of the
 * step that encloses it.
 */
export function lanesOf(steps: readonly Step[]): Map<number, number> {
  const lanes = new Map<number, number>()
  const freeAt: number[] = []
  for (const { step, owner, at, settledAt = Infinity } of steps) {
    let lane = owner === 0 ? 0 : (lanes.get(owner) ?? -1) + 1
    while ((freeAt[lane] ?? 0) > at) lane += 1
    freeAt[lane] = settledAt
    lanes.set(step, lane)
  }
  return lanes
}
