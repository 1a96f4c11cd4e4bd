import type { MatchContext, MatchResult } from './matcher-types.ts'
import { checkRun } from './not-a-run-error.ts'
import type { RunMatchers } from './signatures.ts'
import { pickExpected } from './subset.ts'
import { printableStyled } from '../trace/printable.ts'
import { isThenable } from '../run/is-thenable.ts'
import { toDivergeAt } from './to-diverge-at.ts'
import { toReplayWithoutDivergence } from './to-replay-without-divergence.ts'
import { toRerunIdentically } from './to-rerun-identically.ts'
import { type MatcherTable, wholeRunMatchers } from './whole-run-matchers.ts'

/** The `this` that both Vitest and Jest pass to a matcher. */
export interface RunnerState {
  /** For an asymmetric matcher: whether it is inverted. */
  readonly isNot?: boolean | undefined
  readonly customTesters?: readonly EqualityTester[]
  equals(received: unknown, expected: unknown, customTesters?: EqualityTester[]): boolean
  readonly utils: {
    readonly iterableEquality: EqualityTester
    readonly subsetEquality: EqualityTester
    RECEIVED_COLOR(text: string): string
    /** Null or undefined if there is no difference to print. */
    diff(expected: unknown, received: unknown): string | null | undefined
  }
}

/** A custom comparison for a runner's `equals`. */
export type EqualityTester = (...args: never[]) => boolean | undefined

/** A matcher in the form that `expect.extend` accepts. Asynchronous for a promise of a run. */
export type RunnerMatcher = (this: RunnerState, received: unknown, ...args: unknown[]) => MatchResult | Promise<MatchResult>

/** Every matcher, by its name in runners. */
export const matchers: MatcherTable & { readonly toRerunIdentically: typeof toRerunIdentically } = {
  toReplayWithoutDivergence,
  toDivergeAt,
  ...wholeRunMatchers,
  toRerunIdentically,
}

/** Every matcher, in the form that `expect.extend` of Vitest and Jest accepts. */
export const runnerMatchers = Object.fromEntries(
  Object.keys(matchers).map((name) => [name, toRunnerMatcher(name as keyof typeof matchers)]),
) as Readonly<Record<keyof RunMatchers<unknown>, RunnerMatcher>>

function toRunnerMatcher(name: keyof RunMatchers<unknown>): RunnerMatcher {
  return function (received, ...args) {
    const context = contextOf(this)
    const match = (value: unknown): MatchResult | Promise<MatchResult> =>
      Reflect.apply(matchers[name], undefined, [context, checkRun(name, value), ...args]) as MatchResult | Promise<MatchResult>
    const tell = (value: unknown): MatchResult | Promise<MatchResult> => {
      const result = match(value)
      return isThenable(result) ? Promise.resolve(result).then(told) : told(result)
    }
    return isThenable(received) ? Promise.resolve(received).then(tell) : tell(received)
  }
}

/** Runners print messages unchanged, so control characters from a recording are escaped here. */
function told({ pass, message }: MatchResult): MatchResult {
  return { pass, message: () => printableStyled(message()) }
}

/** The width if the runner's worker does not write to a terminal. */
const defaultWidth = 120

function contextOf(state: RunnerState): MatchContext {
  const { isNot = false, customTesters = [], utils } = state
  const testers = [...customTesters, utils.iterableEquality, utils.subsetEquality]
  return {
    isNot,
    // Only the runner knows whether its reporters support colours; the worker's own streams do not show it.
    color: utils.RECEIVED_COLOR('x') !== 'x',
    width: process.stdout.columns ?? defaultWidth,
    matches: (received, expected) => state.equals(received, expected, testers),
    // Fields that are not expected are not a difference.
    difference: (received, expected) => (utils.diff(expected, pickExpected(received, expected)) ?? '').split('\n'),
  }
}
