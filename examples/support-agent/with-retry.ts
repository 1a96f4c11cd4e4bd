/** When not to try again. */
export interface RetryOptions<Result> {
  /** Asked before each further try: what it finds is the result, and null means try again. Default: always try again. */
  readonly unless?: () => Promise<Result | null>
}

const PAUSE_MS = 250

/**
 * Calls `attempt` up to `times` times, with a pause that grows from try to try, as long as it fails by a network error. Any other error, and
 * the last one, is thrown.
 */
export async function withRetry<Result>(
  times: number,
  attempt: () => Promise<Result>,
  options: RetryOptions<Result> = {},
): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (count === times || !isNetworkError(error)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * count))
    const found = await options.unless?.()
    if (found !== undefined && found !== null) return found
  }
}

/** `fetch` throws a TypeError where the connection fails, an AbortSignal's time-out a TimeoutError. */
function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')
}
