import { PAUSE_MS } from './config.ts'

/** Calls `attempt` until it succeeds, with a growing, randomized pause. Throws the last error. */
export async function retry<Result>(tries: number, attempt: (count: number) => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt(count)
    } catch (error) {
      if (count >= tries) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * count + Math.random() * 4))
    }
  }
}
