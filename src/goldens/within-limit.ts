import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'

/** The default limit of a golden's replay, in milliseconds of real time. */
export const DEFAULT_LIMIT = 60_000

/** The limit of a live run, including real waiting, in milliseconds. */
export const LIVE_LIMIT = 600_000

/** Returns the timeout for a golden's test in the runner: longer than the limit, so that the limit is reached first. */
export function testTimeout(limit: number): number {
  return limit + 10_000
}

/**
 * Waits for the replay of a golden, up to its limit.
 *
 * @param setting Describes how and where to set a higher limit.
 * @throws GoldenrunError `GOLDENRUN_TIME_LIMIT`.
 */
export async function withinLimit<Result>(
  golden: string,
  limit: number,
  setting: (limit: number) => string,
  replayed: () => Promise<Result>,
): Promise<Result> {
  const over = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    over.reject(
      new GoldenrunError(
        'GOLDENRUN_TIME_LIMIT',
        `The replay of ${golden} took longer than ${limit / 1000} s of real time, which is the limit for golden files. ` +
          `If the agent needs that long to compute, raise the limit: ${setting(limit * 2)}.`,
      ),
    )
  }, limit)
  try {
    return await Promise.race([replayed(), over.promise])
  } finally {
    clearTimeout(timer)
  }
}
