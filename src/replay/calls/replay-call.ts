import type { Boundary, Effect } from '../../trace/boundary.ts'
import type { CompletionRow } from '../../trace/rows.ts'
import type { Trail } from '../../run/call-site.ts'
import type { ReplayedInput } from './replayed-input.ts'
import type { PlannedStep } from './plan.ts'

/** Delivers the result of a call to the agent. */
export interface Delivery {
  /** Sets the call that it settles, and a callback for when it has. */
  attach(call: ReplayCall, onSettled: () => void): void
  /** A row of the trace. */
  row(row: CompletionRow): void
  /** An answer that the trace does not have. */
  answer(value: unknown): void
  refuse(error: Error): void
}

/** A timer that the trace does not have, and that has fired. */
export interface FiredTimer {
  /** Milliseconds. */
  readonly delay: number
  /** In virtual milliseconds since the run started. */
  readonly due: number
  /** The calls that were under way. */
  readonly open: readonly ReplayCall[]
  /** Those of them that it may be a time limit for, the likeliest first. */
  readonly limited: readonly ReplayCall[]
}

/** A call that the agent made in this replay. */
export interface ReplayCall {
  /** 1 for the first of this replay. */
  readonly number: number
  /** The call in whose body it was made; undefined for the run itself. */
  readonly owner: ReplayCall | undefined
  readonly boundary: Boundary
  /** As it would be in the trace; once the step is known, as it is in the trace. */
  name: string
  readonly effect: Effect | undefined
  readonly idempotencyKey: string | undefined
  /** Set once it is known: a body may still have to be read. */
  input: ReplayedInput | undefined
  /** The stack of the call in the agent; captured if a verdict may need it. */
  trail: Trail | undefined
  readonly delivery: Delivery
  /** Whether the agent had returned or thrown. */
  readonly isLate: boolean
  /** The progress of the replay when it was made: a place in the trace. */
  readonly madeAt: number
  /** The timer after whose firing it was made, before anything else reached the run. */
  readonly after: FiredTimer | undefined
  /** The function of the call runs in this replay. */
  readonly runs: boolean
  /** The recorded step that it is. */
  planned: PlannedStep | undefined
  /** The recorded step that it was compared with as a changed call, whether accepted or refused. */
  heldAgainst: PlannedStep | undefined
  /** It matches that step, although its input differs. */
  changed: boolean
  state: 'open' | 'settled'
  /** How it settled, for the record of this replay. */
  outcome: { readonly output: unknown } | { readonly error: unknown } | undefined
  readonly at: number
  /** Virtual milliseconds since the run started. */
  settledAt: number | undefined
}
