import { currentScope, runBelow, type Scope, scopeBelow } from '../../../run/scope.ts'
import { Arrival } from '../../arrival.ts'
import { hearPromise, withCallback } from '../agent-callback.ts'
import { answerDriverCall, recordDriverCall } from '../driver-call.ts'
import type { MethodCall } from '../driver-work.ts'
import { pgCall } from './pg-call.ts'
import type { PgQuery } from './pg-client.ts'

/** A pool's work as part of a step. */
interface PoolStep {
  /** The query's first argument; the setup of a new client has another. */
  readonly asked: unknown
  /** Replaying: the answer. */
  readonly answer?: Promise<unknown>
  /** Recording: receives the answer. */
  readonly arrival?: Arrival
}

/** The step and scope that a client's query is part of; undefined if it is part of none. @param asked The first argument of the query. */
export function poolStep(asked: unknown): { readonly scope: Scope; readonly step: PoolStep } | undefined {
  const scope = scopeBelow()
  const step = scope?.below.step as PoolStep | undefined
  return scope !== undefined && step !== undefined && step.asked === asked ? { scope, step } : undefined
}

/**
 * Makes a pool's query a step where the agent makes it: when the pool has a client for it depends on other runs.
 */
export function queryPool({ self, args, go, goWith }: MethodCall): unknown {
  const scope = currentScope()
  const asked = readArguments(args)
  if (scope === undefined || asked === undefined) return go()
  const call = pgCall(scope, self, asked)
  if (scope.run.mode === 'replay') {
    const answer = answerDriverCall(scope, call)
    answer.catch(() => undefined)
    const own = withCallback(args)
    return runBelow(scope, { step: { asked: args[0], answer } satisfies PoolStep }, () => goWith(own))
  }
  const arrival = new Arrival()
  // A pool without a client has no query that could fail.
  const told = { fail: (error: unknown) => arrival.fail(error) }
  const own = withCallback(args, told)
  const make = (): unknown => runBelow(scope, { step: { asked: args[0], arrival } satisfies PoolStep }, () => goWith(own))
  return recordDriverCall(scope, call, arrival, () => hearPromise(self, 'Promise', told, make))
}

/** The query in these arguments; undefined if a pool cannot make it. */
export function readArguments([config, values]: readonly unknown[]): PgQuery | undefined {
  if (typeof config === 'string') return { text: config, ...(Array.isArray(values) ? { values } : {}) } as unknown as PgQuery
  if (typeof config !== 'object' || config === null || 'submit' in config) return undefined
  const asked = config as PgQuery
  return { ...asked, values: asked.values ?? (Array.isArray(values) ? values : undefined) } as unknown as PgQuery
}
