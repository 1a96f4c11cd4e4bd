import type { MatchContext, MatchResult } from './matcher.ts'
import { matchers } from './matchers.ts'
import { checkRun } from './not-a-run-error.ts'
import type { RunMatchers } from './signatures.ts'
import { pickExpected } from './subset.ts'
import { printableStyled } from '../trace/printable.ts'
import { isThenable } from '../run/is-thenable.ts'

/** What Vitest and Jest alike hand to a matcher as its `this`. */
export interface RunnerState {
  /** Of an asymmetric matcher: whether it is inverted. */
  readonly isNot?: boolean | undefined
  readonly customTesters?: readonly EqualityTester[]
  equals(received: unknown, expected: unknown, customTesters?: EqualityTester[]): boolean
  readonly utils: {
    readonly iterableEquality: EqualityTester
    readonly subsetEquality: EqualityTester
    RECEIVED_COLOR(text: string): string
    /** Null or undefined where there is nothing to draw. */
    diff(expected: unknown, received: unknown): string | null | undefined
  }
}

/** How a runner's `equals` is told to compare some values otherwise. */
export type EqualityTester = (...args: never[]) => boolean | undefined

/** A matcher as `expect.extend` takes it. On a promise of a run it is asynchronous. */
export type RunnerMatcher = (this: RunnerState, received: unknown, ...args: unknown[]) => MatchResult | Promise<MatchResult>

/** Every matcher, in the form that `expect.extend` of Vitest and Jest takes. */
export const runnerMatchers: Readonly<Record<keyof RunMatchers<unknown>, RunnerMatcher>> = {
  toReplayWithoutDivergence: toRunnerMatcher('toReplayWithoutDivergence'),
  toDivergeAt: toRunnerMatcher('toDivergeAt'),
  toHaveCalledTools: toRunnerMatcher('toHaveCalledTools'),
  toHaveCalledTool: toRunnerMatcher('toHaveCalledTool'),
  toHaveCalledToolTimes: toRunnerMatcher('toHaveCalledToolTimes'),
  toHaveReachedCheckpoint: toRunnerMatcher('toHaveReachedCheckpoint'),
  toMatchCheckpoints: toRunnerMatcher('toMatchCheckpoints'),
  toHaveSideEffects: toRunnerMatcher('toHaveSideEffects'),
  toHaveNoRepeatedSideEffects: toRunnerMatcher('toHaveNoRepeatedSideEffects'),
  toHaveOutcome: toRunnerMatcher('toHaveOutcome'),
  toStayWithin: toRunnerMatcher('toStayWithin'),
  toRerunIdentically: toRunnerMatcher('toRerunIdentically'),
}

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

/** Runners print messages as they are: what a run recorded is shown in them and not obeyed. */
function told({ pass, message }: MatchResult): MatchResult {
  return { pass, message: () => printableStyled(message()) }
}

/** Where the runner's worker writes to no terminal. */
const defaultWidth = 120

function contextOf(state: RunnerState): MatchContext {
  const { isNot = false, customTesters = [], utils } = state
  const testers = [...customTesters, utils.iterableEquality, utils.subsetEquality]
  return {
    isNot,
    // The runner knows whether its reporters take colours; its worker's own streams do not say.
    color: utils.RECEIVED_COLOR('x') !== 'x',
    width: process.stdout.columns ?? defaultWidth,
    matches: (received, expected) => state.equals(received, expected, testers),
    // Fields that nobody expects are no difference.
    difference: (received, expected) => (utils.diff(expected, pickExpected(received, expected)) ?? '').split('\n'),
  }
}
