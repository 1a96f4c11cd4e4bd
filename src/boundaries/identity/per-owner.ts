import type { ActiveRun } from '../../run/active-run.ts'
import { currentScope } from '../../run/scope.ts'
import { knownOrMade } from '../../trace/remember.ts'

/**
 * Returns a function with separate state for each run, and for the body of each of its steps: draws from before the run are not in its
 * trace, and the body of a stubbed tool does not run.
 *
 * @param outside The function to use outside of every run.
 * @param create Creates the function for a run, within the run.
 */
export function perOwner<Args extends unknown[], Result>(
  outside: (...args: Args) => Result,
  create: () => (...args: Args) => Result,
): (...args: Args) => Result {
  const runs = new WeakMap<ActiveRun, Map<number, (...args: Args) => Result>>()
  return (...args) => {
    const scope = currentScope()
    if (scope === undefined) return outside(...args)
    const owners = knownOrMade(runs, scope.run, () => new Map<number, (...args: Args) => Result>())
    return knownOrMade(owners, scope.owner, create)(...args)
  }
}
