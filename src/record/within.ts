import { realTimers } from '../node/real-timers.ts'

/** Waits for the work of a store. Rejects if it takes longer than `limits.closeMilliseconds`. */
export async function within(milliseconds: number, work: Promise<void> | undefined): Promise<void> {
  if (work === undefined) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = realTimers.setTimeout(() => reject(new Error(`it took longer than limits.closeMilliseconds (${milliseconds})`)), milliseconds)
  })
  try {
    await Promise.race([work, late])
  } finally {
    realTimers.clearTimeout(timer)
  }
}
