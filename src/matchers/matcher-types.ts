import type { Price } from '../models/cost.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'

/** The context that the test runner passes to a matcher. */
export interface MatchContext {
  /** Whether the assertion is negated. */
  readonly isNot: boolean
  readonly color: boolean
  /** The width of a message, in characters. */
  readonly width: number
  /** Whether a value contains at least what is expected, as in the runner's `toMatchObject`; asymmetric matchers are supported. */
  matches(received: unknown, expected: unknown): boolean
  /** The difference between a value and what is expected, in lines, as the runner prints it. */
  difference(received: unknown, expected: unknown): readonly string[]
}

/** The result of a matcher, in the form that Vitest and Jest accept. */
export interface MatchResult {
  readonly pass: boolean
  /** Why the assertion fails; called only if it does. */
  readonly message: () => string
}

/** A matcher, independent of the runner. */
export type Matcher<Args extends readonly unknown[], Result = MatchResult> = (
  context: MatchContext,
  run: ReplayedRun,
  ...args: Args
) => Result

/** An expected tool call: a name, or a name and at least these arguments. */
export type ExpectedCall = string | { readonly name: string; readonly args?: unknown }

/** How a run has to end: what it returns, or the error that it throws. At least the given fields are compared. */
export type ExpectedOutcome =
  | { readonly status: 'returned'; readonly output?: unknown }
  | { readonly status: 'threw'; readonly error?: { readonly name?: unknown; readonly message?: unknown; readonly code?: unknown } }

/** How to compare a sequence of tool calls. */
export interface SequenceOptions {
  /**
   * `exact`: these calls, in this order, and no others. `subsequence`: these, in this order, with others between them. `any`: these, in
   * whatever order. Default: `exact`.
   */
  readonly order?: 'exact' | 'subsequence' | 'any'
  /** With `any`: whether other calls are allowed in addition. Default: false. */
  readonly extra?: boolean
}

/** How often: an exact number, or inclusive bounds. */
export type Times = number | { readonly min?: number; readonly max?: number }

/** An approved call. */
export interface Approved {
  /** Its arguments, as in a step: a single argument as itself, several as a list. */
  readonly args: unknown
  /** The step that approved it, when it has settled. Default: it was approved before the run. */
  readonly step?: number
}

/** Where a run shows which calls a person approved. */
export interface ApprovalOptions {
  /**
   * The name of the tool or external that asks a person, or of the checkpoint that the agent reaches once the person has answered. It holds
   * the approved call as `{ tool, args }` (also `name` or `toolName`, and `arguments` or `input`), as two arguments, or its arguments alone.
   * A person answers with true or false, or with `{ approved, args? }`, where `args` replaces what was asked. Default: `approval`.
   */
  readonly approval?: string
  /** Reads the tool's approved calls from the run, for example from its input if they were approved before it. Default: read from `approval`. */
  readonly approved?: (run: ReplayedRun) => readonly Approved[]
}

/** How often a run is replayed, including this one: at least twice. */
export interface RerunTimes {
  readonly times: number
}

/** Upper limits for a run. */
export interface Limits {
  readonly steps?: number
  readonly modelCalls?: number
  readonly toolCalls?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** Duration in milliseconds, on the recording's clock. */
  readonly virtualMs?: number
  /** Cost of all answered model calls in US dollars, by `prices`. */
  readonly costUsd?: number
  /**
   * Prices in US dollars per million tokens, by the model name in answers or requests. Required for `costUsd`, because prices change and a
   * golden does not: `{ 'gpt-4.1-mini': { input: 0.4, output: 1.6 } }`.
   */
  readonly prices?: Readonly<Record<string, Price>>
}
