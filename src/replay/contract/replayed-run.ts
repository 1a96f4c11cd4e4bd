import type { Divergence } from '../../divergence/divergence.ts'
import type { Drift } from '../../divergence/drift.ts'
import type { CallSite } from '../../run/call-site.ts'
import type { DrawnValue } from '../../divergence/drawn-value.ts'
import type { NodeEnvs } from '../../divergence/node-env.ts'
import type { TrustedStandIn } from '../../divergence/stand-in-places.ts'
import type { NormalAnswer, NormalRequest } from '../../models/dialect.ts'
import type { CheckpointRow, Usage } from '../../trace/rows.ts'
import type { SideEffect } from '../../trace/side-effects.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import type { IncidentRun } from '../judge/incident/incident-watch.ts'
import type { Chance } from './chance.ts'
import type { CheckpointOf, OutputOf, RunSchema } from './run-schema.ts'

/** How a replayed run ended. */
export type Outcome<Output = unknown> =
  | { readonly status: 'returned'; readonly output: Output }
  | { readonly status: 'threw'; readonly error: unknown }
  /** The replay refused a call that the trace does not have, or the agent waited for what could never come. */
  | { readonly status: 'stopped'; readonly divergence: Divergence }
  /** The trace has no end: the run came as far as the recorded one, and waits for what that was waiting for. */
  | { readonly status: 'in-flight' }

/** A tool call of a run. */
export interface ToolCall {
  /** The step it is, or for `asked` the model step that asked for it. */
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

/** What a replay did. */
export interface ReplayedRun<Output = unknown, Checkpoint extends CheckpointRow = CheckpointRow> {
  /** The trace that was replayed. */
  readonly trace: Trace
  readonly outcome: Outcome<Output>
  /** Every difference from the trace, the earliest first; of a stopped run those up to the stop. */
  readonly divergences: readonly Divergence[]
  /**
   * What has drifted since the recording: models, the addresses that they are asked at, schemas of tools. Another address alone is no divergence,
   * nor is another model that is allowed.
   */
  readonly drift: readonly Drift[]
  /** The paths of `ignore` and `normalize` that match nothing, neither in the trace nor in this replay. */
  readonly unmatchedPaths: readonly string[]
  /**
   * What was compared only as a stand-in: values that the agent's own code brought and redaction took out on both sides. Another value of the same
   * kind would have been equal, too. `promote` can keep those that are constants of the code.
   */
  readonly standIns: readonly TrustedStandIn[]
  /**
   * Times, ids and numbers that differ from the recorded ones because the agent reads the clock or chance more or less often than it did, and were
   * equal by nothing but the order of the reads: each recorded read has one of the replay that stands for it, at every place of the run.
   */
  readonly drawn: readonly DrawnValue[]
  /** The steps of this replay, by recorded step number; calls that the trace does not have stand at the end, numbered on. */
  readonly steps: readonly Step[]
  readonly toolCalls: readonly ToolCall[]
  readonly modelCalls: readonly ModelCall[]
  readonly checkpoints: readonly Checkpoint[]
  /** The state of the last checkpoint before a step started, one that the recorder took by policy included; undefined when there is none. */
  stateAt(step: number): unknown
  /**
   * The steps with `effect: 'write'`, and, as `inferred`, requests that may change something (not GET, not a model's) outside of every tool that says
   * what it does. Those that a tool made when it was recorded are among them where the tool does not run in the replay.
   */
  readonly sideEffects: readonly SideEffect[]
  readonly usage: Usage
  /**
   * Calls that the run left behind and that nobody can judge, since the trace does not say what came after its end: one of format 1, or of a process
   * that died.
   */
  readonly lateCalls: readonly LateCall[]
  /** Whether work of the agent's own (a file, compression, a key) was under way while recorded answers came: their order cannot be promised. */
  readonly racedOwnWork: boolean
  /** How long the run took on the recording's clock, in milliseconds. */
  readonly virtualMs: number
  /** SHA-256 (hex) of what the replay did; of a clean replay it equals its trace's. */
  readonly hash: string
  /** Of the golden of an incident: what became of its trigger, and of the call that must not be made again. */
  readonly incident?: IncidentRun
  /** This replay as a trace of its own, which can be compared, promoted and replayed. What a tool that did not run would have done is not in it. */
  toTrace(): Trace
  /** `NODE_ENV` of the recording and of this replay, where the draws of the two do not line up. */
  readonly nodeEnvs?: NodeEnvs
  /** Whether the run drew from clock or chance what the trace does not have. */
  readonly drewMore: boolean
  /**
   * Replays the same trace once more, with the same agent and options.
   *
   * @param chance What the run draws that the trace does not have. Default: the same as before.
   */
  again(chance?: Chance): Promise<ReplayedRun<Output, Checkpoint>>
}

/** The run of an agent that returns `Output`, with a schema. */
export type RunBy<Schema extends RunSchema, Output> = ReplayedRun<OutputOf<Schema, Output>, CheckpointOf<Schema>>
