import type { ErrorClass, FunctionCall } from '../../run/active-run.ts'
import { runBelow, type Scope } from '../../run/scope.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { Arrival } from '../arrival.ts'
import type { DirectStep } from '../direct-step.ts'

/** A request to a driver: one step. Its name is the driver and the operation: `pg SELECT`. */
export interface DriverCall extends DirectStep {
  /** Classes of errors that a replay may throw, for errors that the driver's own parser does not make. */
  readonly errors?: readonly ErrorClass[]
  /** How many milliseconds it may take, as configured in the driver. */
  readonly limit?: number | undefined
  /** The driver answers synchronously, not by a promise. */
  readonly atOnce?: true
}

/**
 * Makes a driver call a step of a recorded run.
 *
 * @param make Makes the call. The timers and sockets that it uses are the driver's own work.
 * @param arrival The answer, in the form that a trace keeps, or the driver's own error. Recorded before the agent is notified.
 * @returns The result of `make`.
 */
export function recordDriverCall<Result>(scope: Scope, call: DriverCall, arrival: Arrival, make: () => Result): Result {
  let result: Result | undefined
  scope.run.callFunction(toFunctionCall(scope, call), () => {
    result = runBelow(scope, {}, make)
    return arrival
  })
  return result as Result
}

/** Reports an answer. If recording it fails, the agent still gets the answer; the step then has no end, like one whose answer never came. */
export function tellQuietly(tell: () => void): void {
  try {
    tell()
  } catch {
    // The agent continues.
  }
}

/**
 * Like `recordDriverCall`, for a driver that may refuse the call immediately, before the agent's next call.
 */
export function recordRefusable<Result>(scope: Scope, call: DriverCall, arrival: Arrival, make: () => Result): Result | undefined {
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
 * Answers a driver call from the trace.
 *
 * @param make Makes the call for real, if a fork says so: returns the answer in the form that a trace keeps, or fails like the driver. Default: the
 * call cannot be made for real.
 * @returns The answer. Rejects with the recorded error, as an error of class `Error`, or with the refusal of a call that the trace does not have.
 */
export function answerDriverCall(scope: Scope, call: DriverCall, make: () => Promise<unknown> = refuseSandbox): Promise<unknown> {
  return new Promise((resolve) => resolve(scope.run.callFunction(toFunctionCall(scope, call), make)))
}

function refuseSandbox(): Promise<never> {
  return Promise.reject(new Error('has no sandbox'))
}

/** Like `answerDriverCall`, for a driver that may answer synchronously. Returns or throws the recorded result. */
export function callAtOnce(scope: Scope, call: DriverCall, make: () => unknown): unknown {
  return scope.run.callFunction(toFunctionCall(scope, call), () => runBelow(scope, {}, make))
}

function toFunctionCall({ owner }: Scope, { name, effect, input, errors = [], limit, atOnce }: DriverCall): FunctionCall {
  const [driver = name] = name.split(' ', 1)
  return { owner, boundary: 'external', name, driver, effect, input, errors, ...omitUndefined({ limit, atOnce }) }
}
