import type { AnsweredRun } from '../../run/active-run.ts'
import { currentScope, type Scope } from '../../run/scope.ts'

/** A scope of a replay. */
export type AnsweredScope = Scope & { readonly run: AnsweredRun }

/** The replay that the running code belongs to. */
export function answeredScope(): AnsweredScope | undefined {
  const scope = currentScope()
  return scope !== undefined && isAnswered(scope) ? scope : undefined
}

/** Whether a scope is that of a replay. */
export function isAnswered(scope: Scope): scope is AnsweredScope {
  return scope.run.mode === 'replay'
}
