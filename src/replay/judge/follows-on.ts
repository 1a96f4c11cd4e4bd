import type { Plan } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/** A call that was made, or a checkpoint that was reached. */
export type Point = Pick<ReplayCall, 'number' | 'madeAt' | 'behindWork'>

/** The parts of a replay that are needed to compare its calls. */
export interface SeenRun {
  readonly ticks: Plan['ticks']
  /** The call that was matched with a recorded step. */
  callOf(step: number): ReplayCall | undefined
}

/**
 * Whether one point may come before a later one by chance, because it follows the run's own work, whose speed depends on the machine. Not if
 * the later point follows from the answer to the earlier one, or if the agent reached both without waiting.
 */
export function mayRaceWork(later: Point, earlier: Point, run: SeenRun): boolean {
  if (earlier.behindWork === undefined) return false
  return !areTogether(later, earlier) && !hasBegunBehind(later, earlier) && !followsOn(later, earlier, run)
}

/** Whether nothing came between two points: neither an answer nor the end of the run's own work. */
export function areTogether(one: Point, other: Point): boolean {
  return one.behindWork === other.behindWork && one.madeAt === other.madeAt
}

/** Whether the work that led to a point was begun after another point, without waiting for that point's answer. */
function hasBegunBehind({ behindWork }: Point, { madeAt, number }: Point): boolean {
  return behindWork !== undefined && behindWork.place === madeAt && behindWork.made >= number
}

/**
 * Whether a point follows from the answer to a call, directly or through other calls. Traces back from what had last reached the run before
 * the point, or before the work that led to the point began.
 */
function followsOn(point: Point, call: Point, { ticks, callOf }: SeenRun): boolean {
  const places = new Set([causeOf(point)])
  // Iterating over a set includes the items added on the way.
  for (const place of places) {
    // The call's answer came later.
    if (place < call.madeAt) continue
    for (const row of ticks.find((tick) => tick.place === place)?.rows ?? []) {
      if (row.kind === 'timer') places.add(ticks[row.set - 1]?.place ?? -1)
      if (!('step' in row)) continue
      const answered = callOf(row.step)
      if (answered?.number === call.number) return true
      if (answered !== undefined) places.add(causeOf(answered))
    }
  }
  return false
}

function causeOf({ behindWork, madeAt }: Point): number {
  return behindWork?.place ?? madeAt
}
