import type { Effect } from '../trace/boundary.ts'
import { OptionsError } from '../trace/errors/options-error.ts'
import type { ErrorClass } from './active-run.ts'
import { callAsStep, dressAs, type FunctionStep } from './function-step.ts'

/** The options of a tool. */
export interface ToolOptions<Args extends unknown[]> {
  /** `write` makes the tool's calls side effects: they are listed, and a repeated one is flagged. Default: unspecified. */
  readonly effect?: Effect
  /** Returns the key by which the outside world identifies calls as the same side effect. Default: the tool's name and arguments. */
  readonly idempotencyKey?: (...args: Args) => string | undefined
  /** Error classes that the tool throws; a replay throws recorded errors of that name as instances of them. Default: none. */
  readonly errors?: readonly ErrorClass[]
}

/**
 * Makes a tool a boundary: each call is a step of the run, recorded with arguments and result, and answered from the trace on replay
 * without running `body`. Outside of a run, it just calls `body`.
 *
 * @throws OptionsError if `body` is not a function, for example if the options are left out.
 *
 * @example
 * const refundOrder = tool('refund_order', { effect: 'write', idempotencyKey: (args) => args.id }, async (args: { id: string }) => …)
 */
export function tool<Args extends unknown[], Result>(
  name: string,
  options: ToolOptions<Args>,
  body: (...args: Args) => Result,
): (...args: Args) => Result {
  if (typeof body !== 'function')
    throw new OptionsError('tool', 'body', `of ${name} is not a function. Call it as tool(name, options, function).`)
  const { idempotencyKey, ...rest } = options
  const key =
    idempotencyKey === undefined ? {} : { idempotencyKey: (args: readonly unknown[]) => Reflect.apply(idempotencyKey, undefined, args) }
  const step: FunctionStep = { boundary: 'tool', name, isPlain: true, ...rest, ...key }
  const wrapper = function (this: unknown, ...args: Args): Result {
    // A step returns the function's result or a promise of it.
    return callAsStep(step, args, (given = args) => Reflect.apply(body, this, given as Args)) as Result
  }
  return dressAs(wrapper, body)
}
