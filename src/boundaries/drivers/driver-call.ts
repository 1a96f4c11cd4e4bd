import type { ErrorClass, FunctionCall } from '../../run/active-run.ts'
import { runBelow, type Scope } from '../../run/scope.ts'
import type { Effect } from '../../trace/boundary.ts'
import type { Arrival } from '../arrival.ts'

/** What a driver is asked for: one step. */
export interface DriverCall {
  /** The driver, and what it is to do: `pg SELECT`. */
  readonly name: string
  readonly effect: Effect
  /** What it is to do it with, as data. */
  readonly input: unknown
  /** Classes of errors that a replay may throw, where the driver's own parser does not make them. */
  readonly errors?: readonly ErrorClass[]
  /** How many milliseconds it may take, by what the driver was told. */
  readonly limit?: number | undefined
  /** The driver answers at once, and not by a promise. */
  readonly atOnce?: true
}

/**
 * Makes a call of a driver a step of a run that is recorded.
 *
 * @param make Makes the call. What it does for that (timers, sockets) is the driver's own work.
 * @param arrival The answer, in the form that a trace keeps, or the driver's own error. It is written down before this tells anybody.
 * @returns What `make` gives.
 */
export function recordDriverCall<Result>(scope: Scope, call: DriverCall, arrival: Arrival<unknown>, make: () => Result): Result {
  let result: Result | undefined
  scope.run.callFunction(toFunctionCall(scope, call), () => {
    result = runBelow(scope, {}, make)
    return arrival
  })
  return result as Result
}

/** Tells of an answer. Whatever becomes of the recording, the agent gets it: the step then has no end, as one whose answer never came. */
export function tellQuietly(tell: () => void): void {
  try {
    tell()
  } catch {
    // The agent goes on.
  }
}

/**
 * As `recordDriverCall`, for a driver that may refuse the call at once: it does so before the agent's next call.
 */
export function recordRefusable<Result>(scope: Scope, call: DriverCall, arrival: Arrival<unknown>, make: () => Result): Result | undefined {
  let made: { readonly result: Result } | undefined
  try {
    recordDriverCall(scope, call, arrival, () => {
      made = { result: make() }
      if (arrival.failure !== undefined) throw arrival.failure.error
    })
  } catch (error) {
    if (made === undefined) throw error
  }
  return made?.result
}

/**
 * Has a call of a driver answered by the trace.
 *
 * @param make Makes the call for real, where a fork says so: gives the answer in the form that a trace keeps, or fails as the driver does. Default: it
 * cannot be made so.
 * @returns The answer. Rejects with the recorded error, as an error of class `Error`, or with the refusal of a call that the trace does not have.
 */
export function answerDriverCall(scope: Scope, call: DriverCall, make: () => Promise<unknown> = refuseSandbox): Promise<unknown> {
  return new Promise((resolve) => resolve(scope.run.callFunction(toFunctionCall(scope, call), make)))
}

function refuseSandbox(): Promise<never> {
  return Promise.reject(new Error('has no sandbox'))
}

/** The same for a driver that may answer at once. Returns or throws what the trace has. */
export function callAtOnce(scope: Scope, call: DriverCall, make: () => unknown): unknown {
  return scope.run.callFunction(toFunctionCall(scope, call), () => runBelow(scope, {}, make))
}

function toFunctionCall({ owner }: Scope, { name, effect, input, errors = [], limit, atOnce }: DriverCall): FunctionCall {
  const [driver = name] = name.split(' ', 1)
  return {
    owner,
    boundary: 'external',
    name,
    driver,
    effect,
    input,
    errors,
    ...(limit !== undefined && { limit }),
    ...(atOnce && { atOnce }),
  }
}
