import { checkOptionFields } from '../../trace/errors/options-error.ts'

/**
 * When a recorder takes checkpoints by itself, of the state that the agent registered (`checkpoint.state(() => …)`). They are kept, and not compared on
 * replay: another policy makes no other run.
 */
export interface CheckpointPolicy {
  /**
   * Before every so many calls of tools and externals. Where models answer much between them the state grows with it, and checkpoints are taken less
   * often: for each 16 kB of answers a call so many calls more, up to eight times as many. Default: none for that.
   */
  readonly everyToolCalls?: number
  /** After calls of these tools and externals, once the agent goes on: the transitions of its work. Default: none for that. */
  readonly after?: readonly string[]
  /** Before every call of a tool that writes. Default: false. */
  readonly beforeWrites?: boolean
  /** How many are taken in a run at most. Default: 200. */
  readonly most?: number
  /** How long the JSON of a state may be, in characters; a longer one is noted, and no more are taken in that run. Default: 262144. */
  readonly longestState?: number
}

/** @throws OptionsError for what is not as it has to be. */
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
