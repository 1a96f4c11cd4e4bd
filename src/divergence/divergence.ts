import type { StandInKind } from '../redaction/stand-in.ts'
import type { CallSite } from '../run/call-site.ts'
import type { Boundary } from '../trace/boundary.ts'

/** Every reason for which a replay may differ from its trace. */
export const causes = [
  'input',
  'unexpected-call',
  'missing-call',
  'order',
  'time-limit',
  'outcome',
  'checkpoint',
  'model-drift',
  'unrecorded-contact',
  'nondeterminism',
] as const

/** Why a replay differs from its trace. */
export type Cause = (typeof causes)[number]

/** Every part of an input that may differ. */
export const inputParts = [
  'model',
  'system-prompt',
  'messages',
  'tool-schema',
  'sampling',
  'body',
  'args',
  'url',
  'method',
  'headers',
  'redirect',
  'credential',
  'environment',
] as const

/** Which part of an input differs. */
export type InputPart = (typeof inputParts)[number]

/** One field that differs. */
export interface FieldDifference {
  /** From the root of the input, output or state: `messages[0].content`, `args.amount`; empty for the whole. */
  readonly path: string
  /** Absent outside of inputs. */
  readonly part?: InputPart
  /** In the trace; undefined if it has no such field. */
  readonly expected: unknown
  /** In the replay; undefined if it has no such field. */
  readonly received: unknown
  /** Both values come from the clock or a random source: the agent's reads differ in number or order. */
  readonly drawn?: true
  /** The values differ only in these redacted values, which are stand-ins on both sides: those of the replay. */
  readonly standIns?: readonly DifferentStandIn[]
}

/** A redacted value of a replay that is not the recorded one. */
export interface DifferentStandIn {
  readonly kind: StandInKind
  /** Whether the agent's code passed a value of its own, which the recorded run does not have as such. */
  readonly isOwn: boolean
}

/** A recorded call that is similar to the call that was made. */
export interface NearCall {
  readonly step: number
  readonly name: string
  readonly differences: readonly FieldDifference[]
  /** What both have in common: parts of a request (`model`, `url`), or arguments of a function by their paths. */
  readonly agrees: readonly string[]
}

/** A place where the replay differs from the trace. */
export interface Divergence {
  readonly cause: Cause
  /** The recorded step at which it differs. For an extra call, an extra checkpoint and the outcome: the last recorded step before it (0: none). */
  readonly step: number
  /** Whether the divergence is at the step itself or after it. */
  readonly position: 'at' | 'after'
  readonly boundary?: Boundary
  /** The name of the call or of the checkpoint. */
  readonly name?: string
  /** The parts of the input that differ, each once. */
  readonly parts: readonly InputPart[]
  readonly differences: readonly FieldDifference[]
  /** In the trace: an input, an outcome, a state. */
  readonly expected?: unknown
  /** In the replay. */
  readonly received?: unknown
  /** For `order`: the step that should have come before. */
  readonly before?: number
  /** For `missing-call`: the recorded step that the agent went on with instead, if it made any. */
  readonly instead?: number
  /** For `nondeterminism`: the call that only one of two replays made, because the process keeps its result. */
  readonly processState?: string
  /** For `unrecorded-contact`: it belongs to no run and no test, and was made by code created before the run. */
  readonly isLost?: true
  /**
   * The same trace held earlier in this process, with the same agent and options: the difference comes from state that the process has kept
   * since.
   */
  readonly heldBefore?: true
  /** For `input`: a header that only the recorded run sent, with a value that its process had kept from an earlier run: a cache's, a jar's, a session's. */
  readonly keptBefore?: string
  /** In a fork: why a call was not answered. */
  readonly reason?: string
  /** For calls that the trace does not have: similar recorded calls, the nearest first, at most three. */
  readonly nearest: readonly NearCall[]
  /** Where in the agent's code the call was made. */
  readonly site?: CallSite
  /** Whether it is a consequence of an earlier one. */
  readonly consequence: boolean
}
