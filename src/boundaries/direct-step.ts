import { runBelow, type Scope } from '../run/scope.ts'
import type { Effect } from '../trace/boundary.ts'

/** What the agent asks Node itself for: one step. */
export interface DirectStep {
  /** The boundary, and what it is to do: `dns lookup`. */
  readonly name: string
  readonly effect: Effect
  /** What it is to do it with, as data. */
  readonly input: unknown
}

/**
 * Makes a call of one of Node's functions a step.
 *
 * @param make Makes the call for real, below the boundary: in a recording, or where a fork says so.
 * @returns In a recording what `make` gave, in a replay what the trace has: at once or as a promise, as it was recorded. Throws in the same
 * way. A call that the trace does not have is given a promise that rejects.
 */
export function callDirectly(scope: Scope, { name, effect, input }: DirectStep, make: () => unknown): unknown {
  const call = { owner: scope.owner, boundary: 'external', name, effect, input, errors: [] } as const
  return scope.run.callFunction(call, () => runBelow(scope, {}, make))
}
