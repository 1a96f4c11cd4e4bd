import { runBelow, type Scope } from '../run/scope.ts'
import type { Effect } from '../trace/boundary.ts'

/** A call of one of Node's own functions, or of a driver, as one step. */
export interface DirectStep {
  /** The boundary and the action: `dns lookup`. */
  readonly name: string
  readonly effect: Effect
  /** The arguments, as data. */
  readonly input: unknown
}

/**
 * Makes a call of one of Node's functions a step.
 *
 * @param make Makes the call for real, below the boundary: in a recording, or if a fork says so.
 * @returns In a recording the result of `make`, in a replay the trace's: at once or as a promise, as recorded. Throws in the same way. A
 * call that the trace does not have gets a promise that rejects.
 */
export function callDirectly(scope: Scope, { name, effect, input }: DirectStep, make: () => unknown): unknown {
  const call = { owner: scope.owner, boundary: 'external', name, effect, input, errors: [] } as const
  return scope.run.callFunction(call, () => runBelow(scope, {}, make))
}
