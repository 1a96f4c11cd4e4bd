import { realTimers } from '../../node/real-timers.ts'

/** How often something is tried, and how long is waited in between. */
export interface RetryOptions {
  /** How often in all. Default: 6. */
  readonly attempts?: number
  /** The first wait, in milliseconds; each further one is twice as long. Default: 100. */
  readonly firstWait?: number
}

/** A failure that may pass. */
export class PassingFailure extends Error {}

/** Tries something until it succeeds, fails with anything but a `PassingFailure`, or was tried often enough. */
export async function retry<Result>(attempt: () => Promise<Result>, { attempts = 6, firstWait = 100 }: RetryOptions = {}): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof PassingFailure) || tried >= attempts) throw error
    }
    // Of many that failed together, not all come back together.
    await wait(firstWait * 2 ** (tried - 1) * (0.5 + Math.random() / 2))
  }
}

/** Resolves after so many milliseconds. Keeps the process alive meanwhile. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void realTimers.setTimeout(resolve, milliseconds))
}
