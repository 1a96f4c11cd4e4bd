import type { Conductor } from './conductor.ts'
import type { LiveCalls } from './live-calls.ts'
import type { ReplayLog } from './replay-log.ts'
import type { Progress } from './virtual-timers.ts'

/** The parts that tell. */
interface Progressing {
  readonly conductor: Pick<Conductor, 'tick' | 'place' | 'now' | 'newTimers'>
  readonly log: Pick<ReplayLog, 'ticks'>
  readonly calls: Pick<LiveCalls, 'recordedOwner' | 'all'>
  readonly finished: boolean
}

/** How far a replay is, asked of its parts as they are then. */
export function progressOf(run: Progressing): Progress {
  return {
    tick: () => run.conductor.tick,
    place: () => run.conductor.place,
    now: () => run.conductor.now,
    seen: () => run.log.ticks,
    calls: () => run.calls.all,
    after: () => run.conductor.newTimers.limits.fired,
    finished: () => run.finished,
    recordedOwner: (owner) => run.calls.recordedOwner(owner),
  }
}
