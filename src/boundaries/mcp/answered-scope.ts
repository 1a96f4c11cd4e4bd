import type { AnsweredRun } from '../../run/active-run.ts'
import { currentScope, type Scope } from '../../run/scope.ts'

/** A scope of a replay. */
export type AnsweredScope = Scope & { readonly run: AnsweredRun }

/** The replay that the running code belongs to. */
export function answeredScope(): AnsweredScope | undefined {
  const scope = currentScope()
  return scope?.run.mode === 'replay' ? (scope as AnsweredScope) : undefined
}
