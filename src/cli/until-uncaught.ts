import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'

let works = 0

/** Whether an error that nothing catches ends the work on one trace, not the process. */
export function endsOnlyWork(): boolean {
  return works > 0
}

/**
 * Does the work on one trace. An error that nothing catches, in the agent or in a replay of a golden that nobody has foreseen, ends that work and not
 * the process: the other traces still get their verdicts.
 *
 * @throws GoldenrunError `GOLDENRUN_UNCAUGHT` for any error that is none.
 */
export async function untilUncaught<Result>(work: () => Promise<Result>): Promise<Result> {
  const uncaught = Promise.withResolvers<never>()
  process.on('uncaughtException', uncaught.reject)
  works += 1
  try {
    return await Promise.race([work(), uncaught.promise])
  } catch (error) {
    if (GoldenrunError.isInstance(error)) throw error
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new GoldenrunError('GOLDENRUN_UNCAUGHT', `The replay ended with an error that nothing caught: ${reason}`, { cause: error })
  } finally {
    works -= 1
    process.off('uncaughtException', uncaught.reject)
  }
}
