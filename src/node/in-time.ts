import { realTimers } from './real-timers.ts'

/** Waits for work. Rejects with an error of this message if it takes longer than `milliseconds`. */
export async function inTime<Result>(work: Promise<Result>, milliseconds: number, problem: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = realTimers.setTimeout(() => reject(new Error(problem)), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    realTimers.clearTimeout(timer)
  }
}
