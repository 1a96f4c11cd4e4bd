import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { PreparedRebase } from './keep-rebase.ts'
import type { GoldenResult, RefusedRebase } from './results/golden-result.ts'

/** What is known about a golden's replay that a test may assert on. */
export interface AssertedRun extends Pick<GoldenResult, 'name' | 'file' | 'hasOptions'> {
  /** Whether it was recorded just now. */
  readonly isRecorded: boolean
  /** What the golden is rebased to if the test asserts that it holds. */
  readonly rebase?: PreparedRebase
  readonly refusal?: RefusedRebase
  /** Replaces the run with that of the rebased golden, which holds. Absent if there is none. */
  readonly accept?: () => void
}

const known = new WeakMap<object, AssertedRun>()

/** Remembers what is known about a replay. */
export function knowRun<Run extends object>(run: Run, about: AssertedRun): Run {
  known.set(run, about)
  return run
}

/** What is known about a replay; undefined if it is not of a named golden. */
export function whatIsKnown(run: object): AssertedRun | undefined {
  return known.get(run)
}

/** A run that is replaced by another one when that is accepted. */
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
