import { firstNotBefore } from '../../trace/first-not-before.ts'
import type { Step } from '../../trace/trace.ts'

/** Maps times of a run to places between 0 and 1. Idle gaps are folded. */
export interface TimeScale {
  toPlace(at: number): number
  /** The folded gaps. */
  readonly gaps: readonly Gap[]
}

/** A time without a step in flight. */
export interface Gap {
  readonly from: number
  readonly to: number
  /** Its places on the scale. */
  readonly start: number
  readonly end: number
}

/** A gap is folded if it is longer than this share of the total time with steps in flight. */
const foldedFrom = 0.08

/** The size of a folded gap, as a share of the same time. */
const foldedTo = 0.03

/** A run without a duration is drawn as one millisecond. */
const shortest = 1

/** Returns the scale of a run, or of several runs that are drawn below each other. */
export function createTimeScale(steps: readonly Step[], endsAt: number): TimeScale {
  const busy = busyTimes(steps, endsAt)
  const total = busy.reduce((sum, { from, to }) => sum + to - from, 0)
  const length = Math.max(total, shortest)
  const marks: { at: number; place: number }[] = [{ at: 0, place: 0 }]
  const folded: { from: number; to: number }[] = []
  const go = (to: number, room: number): void => {
    const last = marks.at(-1) ?? { at: 0, place: 0 }
    marks.push({ at: to, place: last.place + room })
  }
  let reached = 0
  for (const { from, to } of [...busy, { from: Math.max(endsAt, shortest), to: Math.max(endsAt, shortest) }]) {
    const idle = from - reached
    if (idle > length * foldedFrom) {
      go(from, length * foldedTo)
      folded.push({ from: reached, to: from })
    } else if (idle > 0) go(from, idle)
    if (to > from) go(to, to - from)
    reached = Math.max(reached, to)
  }
  const whole = Math.max(marks.at(-1)?.place ?? 1, Number.EPSILON)
  const toPlace = (at: number): number => placeOf(marks, at) / whole
  return { toPlace, gaps: folded.map(({ from, to }) => ({ from, to, start: toPlace(from), end: toPlace(to) })) }
}

/** Returns the times with steps in flight, in order. Overlapping times are merged. */
function busyTimes(steps: readonly Step[], endsAt: number): { from: number; to: number }[] {
  const times: { from: number; to: number }[] = []
  for (const { at, settledAt = endsAt } of steps.toSorted((a, b) => a.at - b.at)) {
    const last = times.at(-1)
    if (last !== undefined && at <= last.to) last.to = Math.max(last.to, settledAt)
    else times.push({ from: at, to: Math.max(at, settledAt) })
  }
  return times
}

function placeOf(marks: readonly { at: number; place: number }[], at: number): number {
  const next = firstNotBefore(marks, (mark) => mark.at < at)
  const [before, after = marks.at(-1)] = [marks[next - 1], marks[next]]
  if (after === undefined) return 0
  if (before === undefined || at >= after.at) return after.place
  const share = (at - before.at) / (after.at - before.at || 1)
  return before.place + share * (after.place - before.place)
}
