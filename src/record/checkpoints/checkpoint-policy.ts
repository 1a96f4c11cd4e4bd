import { checkOptionFields } from '../../trace/errors/options-error.ts'

/**
 * When a recorder takes checkpoints by itself, of the state that the agent registered (`checkpoint.state(() => …)`). They are kept but not compared
 * on replay: a different policy does not change the run.
 */
export interface CheckpointPolicy {
  /**
   * Before every n-th call of a tool or an external. Checkpoints are taken less often when models answer at length between calls, because the state
   * grows: for each 16 kB of answers per call the interval grows by n, up to eight times n. Default: none.
   */
  readonly everyToolCalls?: number
  /** After calls of these tools and externals, once the agent continues: the transitions of its work. Default: none. */
  readonly after?: readonly string[]
  /** Before every call of a tool that writes. Default: false. */
  readonly beforeWrites?: boolean
  /** The maximum number of checkpoints in a run. Default: 200. */
  readonly most?: number
  /** The maximum length of a state's JSON, in characters. A longer state is noted, and no more checkpoints are taken in that run. Default: 262144. */
  readonly longestState?: number
}

/** @throws OptionsError for an invalid policy. */
export function checkCheckpointPolicy(caller: string, policy: CheckpointPolicy | undefined): void {
  if (policy === undefined) return
  const known = ['everyToolCalls', 'after', 'beforeWrites', 'most', 'longestState']
  const fail = checkOptionFields(caller, 'checkpoints', policy, known)
  for (const name of ['everyToolCalls', 'most', 'longestState'] as const) {
    const value = policy[name] ?? 1
    if (!(Number.isInteger(value) && value > 0)) fail(`has to have a whole number above 0 as "${name}".`)
  }
  if (policy.after !== undefined && !(Array.isArray(policy.after) && policy.after.every((name) => typeof name === 'string')))
    fail('has to have a list of names as "after".')
  if (typeof (policy.beforeWrites ?? true) !== 'boolean') fail('has to have true or false as "beforeWrites".')
}
