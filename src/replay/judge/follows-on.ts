import type { Plan } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/** A call that was made, or a checkpoint that was reached. */
export type Point = Pick<ReplayCall, 'number' | 'madeAt' | 'behindWork'>

/** What is known of a replay when its calls are compared. */
export interface SeenRun {
  readonly ticks: Plan['ticks']
  /** The call that a recorded step was made by. */
  callOf(step: number): ReplayCall | undefined
}

/**
 * Whether a point of a run may come earlier than recorded by chance: it comes behind work of the run's own, whose speed is the machine's. It may
 * not if the later one follows on its answer, or if the agent came to both without waiting.
 */
export function mayRaceWork(later: Point, earlier: Point, run: SeenRun): boolean {
  if (earlier.behindWork === undefined) return false
  return !areTogether(later, earlier) && !hasBegunBehind(later, earlier) && !followsOn(later, earlier, run)
}

/** Whether nothing came between two points: neither an answer nor the end of work. */
export function areTogether(one: Point, other: Point): boolean {
  return one.behindWork === other.behindWork && one.madeAt === other.madeAt
}

/** Whether the work that a point comes behind was begun behind another, without waiting for it. */
function hasBegunBehind({ behindWork }: Point, { madeAt, number }: Point): boolean {
  return behindWork !== undefined && behindWork.place === madeAt && behindWork.made >= number
}

/**
 * Whether a point follows on the answer of a call, or on what followed on that. It goes back from what had reached the run last, then or when the
 * work began that the point comes behind.
 */
function followsOn(point: Point, call: Point, { ticks, callOf }: SeenRun): boolean {
  const places = new Set([causeOf(point)])
  // A set is gone through with what is added on the way.
  for (const place of places) {
    // Its answer came later.
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
