import { currentScope } from '../../run/scope.ts'

/** Reads a fact of the run that the calling code is in, or for real. @param name The function that tells it. */
export function readFact<Value>(name: string, real: () => Value): Value {
  const scope = currentScope()
  return scope === undefined ? real() : (scope.run.readFact(scope.owner, name, real) as Value)
}
