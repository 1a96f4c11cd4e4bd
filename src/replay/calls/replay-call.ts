import type { Boundary, Effect } from '../../trace/boundary.ts'
import type { CompletionRow, Settled } from '../../trace/rows.ts'
import type { Trail } from '../../run/call-site.ts'
import type { Route } from '../contract/route.ts'
import type { WorkStart } from '../engine/own-work.ts'
import type { ReplayedInput } from './replayed-input.ts'
import type { PlannedStep } from './plan.ts'

/** Notified of everything that reaches the calls of a replay. */
export interface DeliveryLog {
  /** A part of a call's answer, or its settling, is delivered. */
  handed(call: ReplayCall, row: CompletionRow): void
  /** A call settles with a result that the trace does not have. */
  settled(call: ReplayCall): void
  /** A part of a live answer, or its end, reaches a call. Its row is made when the run becomes a trace. */
  arrived(call: ReplayCall, row: () => CompletionRow): void
}

/** Delivers the result of a call to the agent, after it was attached to the call. */
export abstract class Delivery {
  /** The call that it settles. */
  protected call: ReplayCall | undefined
  #onSettled: () => void = () => undefined
  #log: DeliveryLog | undefined
  /** The row that is being delivered, and how to make the row of a live answer. */
  #row: CompletionRow | undefined
  #arriving: (() => CompletionRow) | undefined

  attach(call: ReplayCall, onSettled: () => void, log: DeliveryLog | undefined): void {
    this.call = call
    this.#onSettled = onSettled
    this.#log = log
  }

  /** Whether any part of the answer has reached the agent. */
  hasBegun = false

  /** Delivers a row of the trace. */
  row(row: CompletionRow): void {
    this.#row = row
    if (row.kind === 'head' || row.kind === 'chunk') this.hasBegun = true
    if ((row.kind === 'head' || row.kind === 'chunk') && this.call?.state === 'open') this.#log?.handed(this.call, row)
    this.deliver(row)
    this.#row = undefined
  }

  /** Delivers a part of a live answer by `deliver`. @param row Makes its row. @param settles Whether it is the last part. */
  protected arrive(row: () => CompletionRow, settles: boolean, deliver: () => void): void {
    if (this.call?.state !== 'open') return
    this.#arriving = row
    if (!settles) this.#log?.arrived(this.call, row)
    deliver()
    this.#arriving = undefined
  }

  /** The call was matched with a recorded step. */
  met(): void {
    // Most deliveries have nothing to do then.
  }

  /** Delivers an answer that the trace does not have. */
  abstract answer(value: unknown): void
  abstract refuse(error: unknown): void
  protected abstract deliver(row: CompletionRow): void

  /** The call has settled, by the row that is being delivered or otherwise. */
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

/** A timer that the trace does not have, after it has fired. */
export interface FiredTimer {
  /** Milliseconds. */
  readonly delay: number
  /** In virtual milliseconds since the run started. */
  readonly due: number
  /** Where it was set, if its stack was kept. */
  readonly trail: Trail | undefined
  /** The calls that were in progress. */
  readonly open: readonly ReplayCall[]
  /** Those of them that the timer may be a limit for, the likeliest first. */
  readonly limited: readonly ReplayCall[]
}

/** A call that the agent made in this replay. */
export interface ReplayCall {
  /** Its number in this replay, from 1. */
  readonly number: number
  /** The call in whose body it was made; undefined for the run itself. */
  readonly owner: ReplayCall | undefined
  readonly boundary: Boundary
  /** As it would be in the trace; once matched with a step, as it is in the trace. */
  name: string
  readonly effect: Effect | undefined
  readonly idempotencyKey: string | undefined
  /** How many milliseconds the call may take, if its client keeps that limit. */
  readonly limit: number | undefined
  /** The database driver that makes it. */
  readonly driver: string | undefined
  /** Set once known: a body may still have to be read. */
  input: ReplayedInput | undefined
  /** The stack of the call in the agent; captured if a verdict may need it. */
  trail: Trail | undefined
  readonly delivery: Delivery
  /** Whether the agent had returned or thrown. */
  readonly isLate: boolean
  /** The progress of the replay when the call was made: a place in the trace. */
  readonly madeAt: number
  /** If the call was made after a timer fired, before anything else reached the run: that timer. */
  readonly after: FiredTimer | undefined
  /** If the call was made after the run's own work, before anything else reached the run: where that work began. */
  readonly behindWork: WorkStart | undefined
  /** Whether the call's function runs in this replay. */
  runs: boolean
  /** The recorded step that was matched with the call. */
  planned: PlannedStep | undefined
  /** The recorded step that it was compared with as a changed call, whether accepted or refused. */
  heldAgainst: PlannedStep | undefined
  /** Whether it matches its step although its input differs. */
  changed: boolean
  /** In a fork, from its step on: the route that the call took. */
  route: Route | undefined
  /** In a fork: the input that the agent passed, if the call was edited before it was sent. */
  agentInput: ReplayedInput | undefined
  /** In a fork, and for a read that outlived the run: the recorded step whose answer the call gets. */
  source: PlannedStep | undefined
  /** In a fork: the redacted part of its live answer that has arrived. */
  arrived: (() => unknown) | undefined
  state: 'open' | 'settled'
  /** How it settled, for the record of this replay. */
  outcome: Settled | undefined
  /** Whether its function ran and returned no promise. */
  ranAtOnce: boolean
  readonly at: number
  /** In virtual milliseconds since the run started. */
  settledAt: number | undefined
}
