import { isThenable } from '../run/is-thenable.ts'
import type { FunctionOutcome } from './function-recorder.ts'

/** Calls a function and gives what it gave, or throws what it threw; `settle` is told before, and whether it was at once. */
export function followResult(invoke: () => unknown, settle: (outcome: FunctionOutcome, sync: boolean) => void): unknown {
  let result: unknown
  try {
    result = invoke()
  } catch (error) {
    settle({ error }, true)
    throw error
  }
  if (!isThenable(result)) {
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
