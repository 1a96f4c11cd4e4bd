import { realTimers } from './real-timers.ts'

/** Does work to its end, and lets others have their turn wherever it yields. */
export async function inSlices<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await new Promise<void>((resolve) => realTimers.setImmediate(resolve))
  }
}
