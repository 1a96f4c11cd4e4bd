import type { Settled } from '../trace/rows.ts'

/**
 * Calls a function and returns its result or throws its error. Before that, calls `settle` with the outcome and whether it came synchronously.
 *
 * @param isAwaited Returns whether a result has to be awaited.
 */
export function followResult(
  invoke: () => unknown,
  settle: (outcome: Settled, sync: boolean) => void,
  isAwaited: (result: unknown) => result is PromiseLike<unknown>,
): unknown {
  let result: unknown
  try {
    result = invoke()
  } catch (error) {
    settle({ error }, true)
    throw error
  }
  if (!isAwaited(result)) {
    settle({ output: result }, true)
    return result
  }
  return result.then(
    (output) => {
      settle({ output }, false)
      return output
    },
    (error: unknown) => {
      settle({ error }, false)
      throw error
    },
  )
}
