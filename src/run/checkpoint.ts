import { currentScope } from './scope.ts'

/**
 * Names the agent's state at this point of the run. Kept in the trace, compared on replay; a difference never stops the replay.
 * Outside a run it does nothing.
 *
 * @param name What a matcher asks for: `toHaveReachedCheckpoint('order-found')`.
 * @param state Any value that can be written down; taken as it is now, later changes do not show. Default: nothing.
 */
export function checkpoint(name: string, state?: unknown): void {
  const scope = currentScope()
  scope?.run.checkpoint(scope.owner, name, state)
}
