import { realTimers } from '../../node/real-timers.ts'

/** The first wait, in milliseconds; each further one is twice as long. */
const FIRST_WAIT = 100

/** A failure that may pass. */
export class PassingFailure extends Error {}

/** Tries something until it succeeds, fails with anything but a `PassingFailure`, or was tried so often. */
export async function retry<Result>(attempt: () => Promise<Result>, attempts: number): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof PassingFailure) || tried >= attempts) throw error
    }
    // Of many that failed together, not all come back together.
    await wait(FIRST_WAIT * 2 ** (tried - 1) * (0.5 + Math.random() / 2))
  }
}

/** Resolves after so many milliseconds. Keeps the process alive meanwhile. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void realTimers.setTimeout(resolve, milliseconds))
}
