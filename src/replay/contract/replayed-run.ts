import type { OverriddenFunction } from '../../divergence/overridden-function.ts'
import type { SinceAccepted } from '../../divergence/report/tell-since-accepted.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import type { Drift } from '../../divergence/drift.ts'
import type { CallSite } from '../../run/call-site.ts'
import type { DrawnValue } from '../../divergence/drawn-value.ts'
import type { DifferingStack } from '../../divergence/stack-frames.ts'
import type { NodeEnvs } from '../../divergence/node-env.ts'
import type { UnprovenCredential } from '../../divergence/unproven-credential.ts'
import type { TrustedStandIn } from '../../divergence/stand-in-places.ts'
import type { NormalAnswer, NormalRequest } from '../../models/dialect.ts'
import type { CheckpointRow, Usage } from '../../trace/rows.ts'
import type { SideEffect } from '../../trace/side-effects.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import type { IncidentRun } from '../judge/incident/incident-watch.ts'
import type { CheckpointOf, OutputOf, RunSchema } from './run-schema.ts'

/** How a replayed run ended. */
export type Outcome<Output = unknown> =
  | { readonly status: 'returned'; readonly output: Output }
  | { readonly status: 'threw'; readonly error: unknown }
  /** The replay refused a call that the trace does not have, or the agent waited for something that can never happen. */
  | { readonly status: 'stopped'; readonly divergence: Divergence }
  /** The trace has no end: the run reached the same point as the recorded one, and is waiting for the same thing. */
  | { readonly status: 'in-flight' }

/** A tool call of a run. */
export interface ToolCall {
  /** Its step, or for `asked` the model step that asked for it. */
  readonly step: number
  readonly name: string
  readonly args: unknown
  readonly output?: unknown
  readonly error?: unknown
  /** `ran`: a wrapped tool was called. `asked`: the model asked for it, and no wrapped tool ran. */
  readonly source: 'ran' | 'asked'
}

/** A model call of a run. */
export interface ModelCall {
  readonly step: number
  /** The dialect: `openai.chat`. */
  readonly name: string
  readonly request: NormalRequest
  /** Absent when it threw or never settled. */
  readonly answer?: NormalAnswer
}

/** A call that was made after the agent had returned or thrown. */
export interface LateCall {
  readonly name: string
  readonly site?: CallSite
}

/** The result of a replay. */
export interface ReplayedRun<Output = unknown, Checkpoint extends CheckpointRow = CheckpointRow> {
  /** The trace that was replayed. */
  readonly trace: Trace
  readonly outcome: Outcome<Output>
  /** Every difference from the trace, the earliest first; for a stopped run, only those before the stop. */
  readonly divergences: readonly Divergence[]
  /**
   * Drift since the recording: models, their URLs, schemas of tools. A different URL alone is not a divergence, nor is a different model
   * that is allowed.
   */
  readonly drift: readonly Drift[]
  /** The paths of `ignore` and `normalize` that match nothing in the trace or in this replay. */
  readonly unmatchedPaths: readonly string[]
  /** The names of response headers that recordings leave out (`docs/doors.md`) and that the agent asked for. */
  readonly missedHeaders: readonly string[]
  /**
   * Files that the run wrote or removed without a step, relative to the working directory if they lie in it. They are not recorded (`files.record`),
   * so their content was not compared. The replay changed copies of them.
   */
  readonly changedFiles: readonly string[]
  /**
   * Values that were compared only as stand-ins: the agent's own code passed them, and both sides are redacted. Any other value of the same
   * kind would have been equal. `promote` can keep those that are constants of the code.
   */
  readonly standIns: readonly TrustedStandIn[]
  /**
   * Credentials that were accepted although another would have been, too: the recorded or the replayed one has no known origin, or several variables
   * have its value here. All others were compared by where they come from.
   */
  readonly credentials: readonly UnprovenCredential[]
  /**
   * Times, ids and numbers that differ from the recorded ones because the agent reads the clock or random sources more or less often. They
   * were matched only by the order of the reads: each recorded read corresponds to one read of the replay, everywhere in the run.
   */
  readonly drawn: readonly DrawnValue[]
  /**
   * Stacks (`error.stack`) in inputs, states and the outcome whose frames differ from the recorded ones. Of a stack, only the name and the
   * message are compared.
   */
  readonly stacks: readonly DifferingStack[]
  /** The steps of this replay, by recorded step number; calls that the trace does not have come last, with further numbers. */
  readonly steps: readonly Step[]
  readonly toolCalls: readonly ToolCall[]
  /** Wrapped tools that the agent called and that did not run (`tools`), each once. What such a tool keeps in memory is not there in the replay. */
  readonly stubbedTools: readonly string[]
  readonly modelCalls: readonly ModelCall[]
  readonly checkpoints: readonly Checkpoint[]
  /** The state of the last checkpoint before a step started, including those taken by the recorder's policy; undefined if there is none. */
  stateAt(step: number): unknown
  /**
   * The steps with `effect: 'write'`, and, as `inferred`, requests that may change something (not GET, not to a model) and are not made by a
   * tool with a declared effect. Includes the recorded requests of tools that do not run in the replay.
   */
  readonly sideEffects: readonly SideEffect[]
  readonly usage: Usage
  /**
   * Calls that outlived the run and cannot be compared, because the trace does not cover what happened after its end: it has format 1, or
   * the process died.
   */
  readonly lateCalls: readonly LateCall[]
  /**
   * Whether the agent's own work (a file, compression, a key) was in progress when recorded answers arrived, so that their order is not
   * guaranteed.
   */
  readonly racedOwnWork: boolean
  /** How long the run took on the recording's clock, in milliseconds. */
  readonly virtualMs: number
  /** SHA-256 (hex) of what the replay did; for a clean replay, it equals that of its trace. */
  readonly hash: string
  /** For an incident golden: what happened to its trigger, and to the call that must not be repeated. */
  readonly incident?: IncidentRun
  /**
   * This replay as a trace of its own, which can be compared, promoted and replayed. It does not contain the bodies of tools that did not
   * run.
   */
  toTrace(): Trace
  /** `NODE_ENV` of the recording and of this replay, if it may be why their draws do not line up. */
  readonly nodeEnvs?: NodeEnvs
  /**
   * For a replay of a golden that diverged: how the agent differs from what its accepted runs were made of. Undefined if that is not known: the golden
   * has no file of it beside it, or was changed since.
   */
  readonly since?: SinceAccepted | undefined
  /** Functions that a test or another package had replaced since goldenrun was loaded. Only if the replay diverged. */
  readonly overridden?: readonly OverriddenFunction[]
  /** Whether the run read times or random values that the trace does not have. */
  readonly drewMore: boolean
  /**
   * Replays the same trace again, with the same agent and options.
   *
   * @param chance The source of draws that the trace does not have. Default: the same as before.
   */
  again(chance?: Chance): Promise<ReplayedRun<Output, Checkpoint>>
}

/** The run of an agent that returns `Output`, with a schema. */
export type RunBy<Schema extends RunSchema, Output> = ReplayedRun<OutputOf<Schema, Output>, CheckpointOf<Schema>>

/**
 * The source of draws that a trace does not have: the seed of random values, and how far the clock is ahead of virtual time, in
 * milliseconds.
 */
export interface Chance {
  readonly seed: number
  readonly ahead: number
}
