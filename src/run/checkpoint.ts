import { currentScope } from './scope.ts'

/** Names the agent's state at a point of the run. */
export interface Checkpoint {
  /**
   * Names the agent's state at this point of the run. The trace keeps it, and a replay compares it; a difference never stops the replay.
   * Outside of a run, it does nothing.
   *
   * @param name The name that matchers use: `toHaveReachedCheckpoint('order-found')`.
   * @param state Any value that can be recorded; it is copied now, so later changes have no effect. Default: nothing.
   */
  (name: string, state?: unknown): void
  /**
   * Sets how the agent's state is read for checkpoints that the recorder takes by its policy (`checkpoints` of `createRecorder`). The last
   * call in a run wins. `read` is called outside of the run and must not change anything. Outside of a run, this does nothing.
   *
   * @example
   * checkpoint.state(() => ({ messages, order }))
   */
  readonly state: (read: () => unknown) => void
}

/**
 * Names the agent's state at a point of the run. The trace keeps it, and a replay compares it.
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
