import type { Price } from '../models/cost.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'

/** What a matcher is told by the test runner. */
export interface MatchContext {
  /** Whether the assertion is negated. */
  readonly isNot: boolean
  readonly color: boolean
  /** Characters on a line of a message. */
  readonly width: number
  /** Whether a value holds at least what is expected, as the runner's `toMatchObject` compares; asymmetric matchers count. */
  matches(received: unknown, expected: unknown): boolean
  /** Where a value does not hold what is expected, as the runner draws a difference: lines. */
  difference(received: unknown, expected: unknown): readonly string[]
}

/** What a matcher finds, in the form that Vitest and Jest take. */
export interface MatchResult {
  readonly pass: boolean
  /** Why the assertion fails; asked only when it does. */
  readonly message: () => string
}

/** A matcher without its runner. */
export type Matcher<Args extends readonly unknown[]> = (context: MatchContext, run: ReplayedRun, ...args: Args) => MatchResult

/** A matcher that replays. */
export type ReplayingMatcher<Args extends readonly unknown[]> = (
  context: MatchContext,
  run: ReplayedRun,
  ...args: Args
) => Promise<MatchResult>

/** A tool call that is expected: by its name, or by its name and at least these arguments. */
export type ExpectedCall = string | { readonly name: string; readonly args?: unknown }

/** How a run is to end: what it returns, or the error that it throws, at least the fields given. */
export type ExpectedOutcome =
  | { readonly status: 'returned'; readonly output?: unknown }
  | { readonly status: 'threw'; readonly error?: { readonly name?: unknown; readonly message?: unknown; readonly code?: unknown } }

/** How a sequence of tool calls is compared. */
export interface SequenceOptions {
  /**
   * `exact`: these calls, in this order, and no others. `subsequence`: these, in this order, with others between them. `any`: these, in
   * whatever order. Default: `exact`.
   */
  readonly order?: 'exact' | 'subsequence' | 'any'
  /** With `any`: whether there may be other calls beside these. Default: false. */
  readonly extra?: boolean
}

/** How often: exactly so many times, or within bounds, both included. */
export type Times = number | { readonly min?: number; readonly max?: number }

/** How often a run is replayed, this one included: twice at the least. */
export interface RerunTimes {
  readonly times: number
}

/** The most that a run may take of each. */
export interface Limits {
  readonly steps?: number
  readonly modelCalls?: number
  readonly toolCalls?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** Milliseconds on the recording's clock. */
  readonly virtualMs?: number
  /** US dollars for all model calls that were answered, by `prices`. */
  readonly costUsd?: number
  /**
   * What the models cost, by the name that answers or requests give them; needed for `costUsd`, since prices change and a golden stays:
   * `{ 'gpt-4.1-mini': { input: 0.4, output: 1.6 } }`.
   */
  readonly prices?: Readonly<Record<string, Price>>
}
