import { realTimers } from '../../node/real-timers.ts'

/** The first wait, in milliseconds; each further one is twice as long. */
const FIRST_WAIT = 100

/** A failure that may pass. */
export class PassingFailure extends Error {}

/** Retries until an attempt succeeds, fails with anything but a `PassingFailure`, or the attempts are used up. */
export async function retry<Result>(attempt: () => Promise<Result>, attempts: number): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof PassingFailure) || tried >= attempts) throw error
    }
    // Jitter keeps attempts that failed together from all retrying together.
    await wait(FIRST_WAIT * 2 ** (tried - 1) * (0.5 + Math.random() / 2))
  }
}

/** Waits. Keeps the process alive meanwhile. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void realTimers.setTimeout(resolve, milliseconds))
}
