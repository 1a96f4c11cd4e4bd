import type { Boundary, Effect } from '../../trace/boundary.ts'
import type { CompletionRow, Settled } from '../../trace/rows.ts'
import type { Trail } from '../../run/call-site.ts'
import type { Route } from '../contract/route.ts'
import type { WorkStart } from '../engine/own-work.ts'
import type { ReplayedInput } from './replayed-input.ts'
import type { PlannedStep } from './plan.ts'

/** Receives what reaches the calls of a replay. */
export interface DeliveryLog {
  /** A part of its answer, or its settling, is delivered to a call. */
  handed(call: ReplayCall, row: CompletionRow): void
  /** A call settles with a result that the trace does not have. */
  settled(call: ReplayCall): void
  /** A part of a live answer reaches a call, or its end; its row is made when the run becomes a trace. */
  arrived(call: ReplayCall, row: () => CompletionRow): void
}

/** Delivers the result of a call to the agent, once it is attached to the call. */
export abstract class Delivery {
  /** The call that it settles. */
  protected call: ReplayCall | undefined
  #onSettled: () => void = () => undefined
  #log: DeliveryLog | undefined
  /** The row that is being delivered, and how the row of a live answer is made. */
  #row: CompletionRow | undefined
  #arriving: (() => CompletionRow) | undefined

  attach(call: ReplayCall, onSettled: () => void, log: DeliveryLog | undefined): void {
    this.call = call
    this.#onSettled = onSettled
    this.#log = log
  }

  /** Whether something of the answer has reached the agent. */
  hasBegun = false

  /** A row of the trace. */
  row(row: CompletionRow): void {
    this.#row = row
    if (row.kind === 'head' || row.kind === 'chunk') this.hasBegun = true
    if ((row.kind === 'head' || row.kind === 'chunk') && this.call?.state === 'open') this.#log?.handed(this.call, row)
    this.deliver(row)
    this.#row = undefined
  }

  /** A part of a live answer is delivered by `deliver`. @param row Makes its row. @param settles Whether it is the last one. */
  protected arrive(row: () => CompletionRow, settles: boolean, deliver: () => void): void {
    if (this.call?.state !== 'open') return
    this.#arriving = row
    if (!settles) this.#log?.arrived(this.call, row)
    deliver()
    this.#arriving = undefined
  }

  /** The call is a recorded step. */
  met(): void {
    // Most answers make no difference to that.
  }

  /** An answer that the trace does not have. */
  abstract answer(value: unknown): void
  abstract refuse(error: Error): void
  protected abstract deliver(row: CompletionRow): void

  /** The call has settled: by the row that is being delivered, or otherwise. */
  protected settle(): void {
    const row = this.#row
    if (this.call?.state === 'open') {
      if (row?.kind === 'return' || row?.kind === 'throw') this.#log?.handed(this.call, row)
      else if (this.#arriving !== undefined) this.#log?.arrived(this.call, this.#arriving)
      else this.#log?.settled(this.call)
    }
    this.#onSettled()
  }
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
  /** How many milliseconds it may take, where its client keeps that limit. */
  readonly limit: number | undefined
  /** The database driver that makes it. */
  readonly driver: string | undefined
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
  /** If it was made behind work of the run's own, before anything else reached the run: where that began. */
  readonly behindWork: WorkStart | undefined
  /** The function of the call runs in this replay. */
  runs: boolean
  /** The recorded step that it is. */
  planned: PlannedStep | undefined
  /** The recorded step that it was compared with as a changed call, whether accepted or refused. */
  heldAgainst: PlannedStep | undefined
  /** It matches that step, although its input differs. */
  changed: boolean
  /** In a fork, from its step on: the route that the call took. */
  route: Route | undefined
  /** In a fork: what the agent made the call with, if it went out edited. */
  agentInput: ReplayedInput | undefined
  /** In a fork: the recorded step whose answer it gets. */
  source: PlannedStep | undefined
  /** In a fork: what has arrived of its live answer, redacted. */
  arrived: (() => unknown) | undefined
  state: 'open' | 'settled'
  /** How it settled, for the record of this replay. */
  outcome: Settled | undefined
  /** Its function was run, and gave no promise. */
  ranAtOnce: boolean
  readonly at: number
  /** Virtual milliseconds since the run started. */
  settledAt: number | undefined
}
