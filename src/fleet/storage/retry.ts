import { realTimers } from '../../node/real-timers.ts'

/** The first wait, in milliseconds; each further one is twice as long. */
const FIRST_WAIT = 100

/** A failure that may pass. */
export class PassingFailure extends Error {}

/**
 * Retries until an attempt succeeds, fails with anything but a `PassingFailure`, or the attempts are used up.
 *
 * @param signal Ends the waits: the last failure is thrown. Default: none.
 */
export async function retry<Result>(attempt: () => Promise<Result>, attempts: number, signal?: AbortSignal): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof PassingFailure) || tried >= attempts || signal?.aborted === true) throw error
    }
    // Jitter keeps attempts that failed together from all retrying together.
    await wait(FIRST_WAIT * 2 ** (tried - 1) * (0.5 + Math.random() / 2), signal)
  }
}

/** Waits. Keeps the process alive meanwhile. @param signal Ends the wait early. Default: none. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      realTimers.clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = realTimers.setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
}
