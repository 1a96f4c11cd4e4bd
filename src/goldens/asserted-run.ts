import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { PreparedRebase } from './keep-rebase.ts'
import type { GoldenResult, RefusedRebase } from './results/golden-result.ts'

/** A golden's replay, and the facts that a test's assertion on it needs. */
export interface AssertedRun extends Pick<GoldenResult, 'name' | 'file' | 'hasOptions'> {
  /** Whether the golden was recorded just before. */
  readonly isRecorded: boolean
  /** The rebase to apply if the test asserts that the golden holds. */
  readonly rebase?: PreparedRebase
  readonly refusal?: RefusedRebase
  /** Replaces the run with the rebased golden's run, which holds. Absent if there is none. */
  readonly accept?: () => void
}

const known = new WeakMap<object, AssertedRun>()

/** Stores the facts about a replay. */
export function knowRun<Run extends object>(run: Run, about: AssertedRun): Run {
  known.set(run, about)
  return run
}

/** Returns the facts about a replay; undefined if it does not replay a named golden. */
export function whatIsKnown(run: object): AssertedRun | undefined {
  return known.get(run)
}

/** Creates a run that another run replaces once `accept` is called. */
export function createAcceptable<Run extends ReplayedRun>(
  run: Run,
  accepted: ReplayedRun,
): { readonly run: Run; readonly accept: () => void } {
  let current: object = run
  const names = new Set([...Object.keys(Object.getOwnPropertyDescriptors(run)), ...Object.keys(Object.getOwnPropertyDescriptors(accepted))])
  const places = [...names].map((name) => [name, { enumerable: true, configurable: true, get: (): unknown => Reflect.get(current, name) }])
  return {
    run: Object.defineProperties({}, Object.fromEntries(places) as PropertyDescriptorMap) as Run,
    accept: () => {
      current = accepted
    },
  }
}
