import { currentScope } from './scope.ts'

/** Names the agent's state at a point of the run. */
export interface Checkpoint {
  /**
   * Names the agent's state at this point of the run. Kept in the trace, compared on replay; a difference never stops the replay.
   * Outside a run it does nothing.
   *
   * @param name What a matcher asks for: `toHaveReachedCheckpoint('order-found')`.
   * @param state Any value that can be written down; taken as it is now, later changes do not show. Default: nothing.
   */
  (name: string, state?: unknown): void
  /**
   * Says how the agent's state is read, for checkpoints that the recorder takes by its policy (`checkpoints` of `createRecorder`). The last one of a run
   * counts. It is called outside of the run and must not change anything. Outside a run it does nothing.
   *
   * @example
   * checkpoint.state(() => ({ messages, order }))
   */
  readonly state: (read: () => unknown) => void
}

/**
 * Names the agent's state at a point of the run: kept in the trace, and compared on replay.
 *
 * @example
 * checkpoint('order-found', { order })
 */
export const checkpoint: Checkpoint = Object.assign(
  (name: string, state?: unknown): void => {
    const scope = currentScope()
    scope?.run.checkpoint(scope.owner, name, state)
  },
  { state: (read: () => unknown): void => currentScope()?.run.readState(read) },
)
