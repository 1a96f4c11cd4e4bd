import { Arrival } from '../../arrival.ts'
import type { DriverCall } from '../driver-call.ts'
import type { MethodCall } from '../driver-work.ts'
import { type Asked, askedOf } from './mysql-call.ts'
import type { CommandKind } from './mysql-client.ts'

/** A call of `query` or `execute`, while it adds its commands. */
export interface Asking {
  readonly asked: Asked | undefined
  /** `execute` prepares its statement, unless that was done before. */
  readonly prepares: boolean
  /** Receives the answer to the call. */
  readonly arrival: Arrival
  /** The pool's call that this call is part of, which is the step. */
  readonly step: PoolStep | undefined
}

/** A call of a pool as a step. */
export interface PoolStep {
  readonly call: DriverCall
  readonly arrival: Arrival
  /** The answer in the trace, in a replay. */
  readonly answer?: Promise<unknown>
}

let current: Asking | undefined
let pooled: PoolStep | undefined

/** The call that the running code is part of. */
export function askingHere(): Asking | undefined {
  return current
}

/** Whether a command prepares the statement of the `execute` that the running code is part of. */
export function preparesOwn(kind: CommandKind): boolean {
  return kind === 'prepare' && current?.prepares === true
}

/** Runs a pool's work once it has a connection for a call: the next call inside it is part of that call. */
export function askFor<Result>(step: PoolStep, body: () => Result): Result {
  pooled = step
  try {
    return body()
  } finally {
    pooled = undefined
  }
}

/** Records what the agent asked, for the commands that `query` or `execute` adds. */
export function asking({ name, args, go }: MethodCall): unknown {
  const [before, step] = [current, pooled]
  pooled = undefined
  current = { asked: askedOf(args), prepares: name === 'execute', arrival: step?.arrival ?? new Arrival(), step }
  try {
    return go()
  } finally {
    current = before
  }
}
