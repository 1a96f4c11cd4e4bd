import { realTimers } from './real-timers.ts'

/** Runs work to its end, letting other work run wherever it yields. */
export async function inSlices<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await new Promise<void>((resolve) => realTimers.setImmediate(resolve))
  }
}
