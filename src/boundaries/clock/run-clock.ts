import { currentScope } from '../../run/scope.ts'

/** The wall clock as the calling code sees it: the run's in a run, the real one outside. */
export interface RunClock {
  /** Milliseconds since the epoch, whole. */
  now(): number
  /** Now, if the calling code is in a run; undefined outside. */
  nowInRun(): number | undefined
}

/** @param realNow `Date.now` as it was before any door. */
export function createRunClock(realNow: () => number): RunClock {
  const nowInRun = (): number | undefined => {
    const scope = currentScope()
    return scope?.run.readClock(scope.owner, realNow)
  }
  return { now: () => nowInRun() ?? realNow(), nowInRun }
}
