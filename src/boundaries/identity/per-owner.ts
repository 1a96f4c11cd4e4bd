import type { ActiveRun } from '../../run/active-run.ts'
import { currentScope } from '../../run/scope.ts'

/**
 * A function with state of its own in each run, and in the body of each of its steps: what a process drew before the run is not in its trace,
 * and the body of a stubbed tool does not run.
 *
 * @param outside What is called outside of every run.
 * @param create Makes what is called in a run, in the run.
 */
export function perOwner<Args extends unknown[], Result>(
  outside: (...args: Args) => Result,
  create: () => (...args: Args) => Result,
): (...args: Args) => Result {
  const runs = new WeakMap<ActiveRun, Map<number, (...args: Args) => Result>>()
  return (...args) => {
    const scope = currentScope()
    if (scope === undefined) return outside(...args)
    const owners = runs.get(scope.run) ?? new Map<number, (...args: Args) => Result>()
    runs.set(scope.run, owners)
    const known = owners.get(scope.owner)
    if (known !== undefined) return known(...args)
    const created = create()
    owners.set(scope.owner, created)
    return created(...args)
  }
}
