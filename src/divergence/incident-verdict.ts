import type { Divergence } from './divergence.ts'
import type { FailedCheck } from './report/reported-run.ts'

/** Why it is unknown whether an incident would happen again. */
export type NotExercised =
  /** The run ended, or was stopped, before the trigger was made and its recorded outcome had reached the agent. */
  | 'trigger'
  /** A write before the trigger differs from the recorded one. */
  | 'write-before'
  /** A call has no answer. */
  | 'unanswered'
  /** The agent is waiting for something that never happens. */
  | 'stuck'
  /** The golden has no check of what should happen instead. */
  | 'unchecked'
  /** The trace does not have the steps that the golden names. */
  | 'unknown-step'

/** Why an agent that avoids the incident still fails. */
export type Failure =
  | { readonly reason: 'check'; readonly check: FailedCheck }
  /** An error that no check expects. */
  | { readonly reason: 'error'; readonly error: unknown }
  /** A write that the golden does not allow. */
  | { readonly reason: 'write'; readonly divergence: Divergence }

/** The verdict of an incident golden on an agent. */
export type IncidentVerdict = {
  readonly trigger: number | 'input'
  readonly at: number
  /** Calls that differ from the recorded ones and were answered as recorded. */
  readonly drift: readonly Divergence[]
  /** Where the agent finally departed from the recorded run, if it did. */
  readonly departure?: Divergence
} & (
  | { readonly word: 'held'; readonly repeatedSafely: boolean }
  | { readonly word: 'repeated'; readonly divergence: Divergence }
  | { readonly word: 'not exercised'; readonly reason: NotExercised; readonly divergence?: Divergence; readonly steps?: readonly number[] }
  | { readonly word: 'failed'; readonly failure: Failure }
  /** The verdict depends on draws that the trace does not have. */
  | { readonly word: 'nondeterminism'; readonly words: readonly string[] }
)
