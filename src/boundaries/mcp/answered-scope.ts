import type { AnsweredRun } from '../../run/active-run.ts'
import { currentScope, type Scope } from '../../run/scope.ts'

/** A scope of a replay. */
export type AnsweredScope = Scope & { readonly run: AnsweredRun }

/** Returns the replay's scope that the running code belongs to. */
export function answeredScope(): AnsweredScope | undefined {
  const scope = currentScope()
  return scope !== undefined && isAnswered(scope) ? scope : undefined
}

/** Returns whether a scope belongs to a replay. */
export function isAnswered(scope: Scope): scope is AnsweredScope {
  return scope.run.mode === 'replay'
}
