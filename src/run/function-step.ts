import type { ActiveRun, ErrorClass, FunctionCall, Invoke, ResultForm } from './active-run.ts'
import { askedInput } from './asked-arguments.ts'
import { omitUndefined } from '../trace/json.ts'
import { currentScope } from './scope.ts'

/** The facts that a wrapper knows about the wrapped function. */
export interface FunctionStep extends Pick<FunctionCall, 'boundary' | 'name' | 'effect'> {
  /** The function is called only with the model's arguments. */
  readonly isPlain?: true
  /** Returns the key of this side effect for these arguments. */
  readonly idempotencyKey?: (args: readonly unknown[]) => string | undefined
  readonly errors?: readonly ErrorClass[]
  /** Selects the input from the arguments. Default: the model's arguments, a single one as itself. */
  readonly input?: (args: readonly unknown[]) => unknown
  readonly result?: ResultForm
}

/** Calls `body` as a step of the current run, or just calls it outside of a run. */
export function callAsStep(step: FunctionStep, args: readonly unknown[], body: Invoke): unknown {
  const scope = currentScope()
  if (scope === undefined) return body()
  const { boundary, name, effect, errors = [], result, isPlain } = step
  const idempotencyKey = keyFor(step, args, scope.run)
  const input = (step.input ?? askedInput)(args)
  const takes: FunctionCall['takes'] = input === args[0] ? 'one' : 'list'
  const known = omitUndefined({ effect, idempotencyKey, result, takes: isPlain && takes })
  const call: FunctionCall = { owner: scope.owner, boundary, name, input, errors, ...known }
  return scope.run.callFunction(call, body)
}

/** Gives a wrapper the name and own properties of the wrapped function, so that frameworks that inspect them see no difference. */
export function dressAs<Wrapper extends (...args: never[]) => unknown>(wrapper: Wrapper, original: (...args: never[]) => unknown): Wrapper {
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(original))) {
    if (key !== 'prototype' && key !== 'arguments' && key !== 'caller') Object.defineProperty(wrapper, key, descriptor)
  }
  return wrapper
}

/** Returns the key of a side effect. If computing it fails or returns neither text nor number, there is no key: the call is made in any case. */
function keyFor({ name, idempotencyKey }: FunctionStep, args: readonly unknown[], run: ActiveRun): string | undefined {
  try {
    const key: unknown = idempotencyKey?.(args)
    return typeof key === 'string' || typeof key === 'number' || typeof key === 'bigint' ? String(key) : undefined
  } catch (error) {
    run.note('unkept-value', `${name} idempotencyKey: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}
