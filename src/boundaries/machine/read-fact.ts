import { currentScope } from '../../run/scope.ts'

/** Reads a fact of the calling code's run, or for real outside of runs. @param name The function that returns the fact. */
export function readFact<Value>(name: string, real: () => Value): Value {
  const scope = currentScope()
  return scope === undefined ? real() : (scope.run.readFact(scope.owner, name, real) as Value)
}
