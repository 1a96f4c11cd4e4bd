import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'

/** Milliseconds of real time that the replay of a golden may take, unless a project says otherwise. */
export const DEFAULT_LIMIT = 60_000

/** Milliseconds that a live run may take: the time that the world takes. */
export const LIVE_LIMIT = 600_000

/** The limit that a test runner is given for a golden's test: ours is to come first. */
export function testTimeout(limit: number): number {
  return limit + 10_000
}

/**
 * Waits for the replay of a golden, and no longer than its limit.
 *
 * @param setting How a greater limit is set, and where.
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
        `The replay of ${golden} took longer than ${limit / 1000} s of real time, which is the limit of golden files. ` +
          `If the agent computes that long, give it more: ${setting(limit * 2)}.`,
      ),
    )
  }, limit)
  try {
    return await Promise.race([replayed(), over.promise])
  } finally {
    clearTimeout(timer)
  }
}
