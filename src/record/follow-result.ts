import type { FunctionOutcome } from './function-recorder.ts'

/**
 * Calls a function and gives what it gave, or throws what it threw; `settle` is told before, and whether it was at once.
 *
 * @param isAwaited Whether a result is one to wait for.
 */
export function followResult(
  invoke: () => unknown,
  settle: (outcome: FunctionOutcome, sync: boolean) => void,
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
