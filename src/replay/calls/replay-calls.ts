import type { CallRow, CheckpointRow } from '../../trace/rows.ts'
import type { DeliveryLog, ReplayCall } from './replay-call.ts'
import type { Progress } from '../engine/virtual-timers.ts'

/** A checkpoint that the agent reached in this replay. */
export type ReplayCheckpoint = Omit<CheckpointRow, 'kind'>

/** A checkpoint that the agent reached, in each form in which it is compared and reported. */
export interface ReachedCheckpoint {
  readonly kept: ReplayCheckpoint
  /** With the stand-ins that the replay made. */
  readonly made: ReplayCheckpoint
  /** The recorded one, if it matches. */
  readonly hashed: ReplayCheckpoint
  /** How many calls had settled by then. */
  readonly settled: number
}

/** What is known about a call when it is made. */
export type CallStart = Pick<ReplayCall, 'boundary' | 'name' | 'delivery' | 'runs' | 'input' | 'isLate'> &
  Partial<Pick<ReplayCall, 'effect' | 'idempotencyKey' | 'limit' | 'driver'>> & {
    /** The number of the call in whose body it is made, 0 for the run itself. */
    readonly owner: number
  }

/** The calls of a replay, in the order in which they were made and settled. */
export class ReplayCalls {
  readonly all: ReplayCall[] = []
  /** In the order in which they settled. */
  readonly settled: ReplayCall[] = []
  readonly #lastRecorded: number
  readonly #progress: Pick<Progress, 'now' | 'place' | 'after' | 'behindWork'>
  readonly #log: DeliveryLog | undefined
  readonly #onSettled: (call: ReplayCall) => void

  constructor(
    recorded: Iterable<Pick<CallRow, 'step'>>,
    progress: Pick<Progress, 'now' | 'place' | 'after' | 'behindWork'>,
    log: DeliveryLog | undefined,
    onSettled: (call: ReplayCall) => void = () => undefined,
  ) {
    let last = 0
    for (const { step } of recorded) last = Math.max(last, step)
    this.#lastRecorded = last
    this.#progress = progress
    this.#log = log
    this.#onSettled = onSettled
  }

  /** Creates a call that is not a step of the run. */
  make(start: CallStart): ReplayCall {
    const { boundary, name, effect, idempotencyKey, limit, driver, input, isLate, runs, delivery } = start
    // All fields are set from the start, so that V8 uses one shape for all calls.
    return {
      number: this.all.length + 1,
      owner: this.#numbered(start.owner),
      boundary,
      name,
      effect,
      idempotencyKey,
      limit,
      driver,
      input,
      trail: undefined,
      delivery,
      isLate,
      madeAt: this.#progress.place(),
      after: this.#progress.after(),
      behindWork: this.#progress.behindWork(),
      runs,
      planned: undefined,
      heldAgainst: undefined,
      changed: false,
      route: undefined,
      agentInput: undefined,
      source: undefined,
      arrived: undefined,
      state: 'open',
      outcome: undefined,
      ranAtOnce: false,
      at: this.#progress.now(),
      settledAt: undefined,
    }
  }

  /** @param onSettled Called when the call settles, in whatever way. */
  add(start: CallStart, onSettled: () => void): ReplayCall {
    const call = this.make(start)
    this.all.push(call)
    const settle = (): void => {
      if (call.state === 'settled') return
      call.state = 'settled'
      call.settledAt = this.#progress.now()
      this.settled.push(call)
      this.#onSettled(call)
      onSettled()
    }
    call.delivery.attach(call, settle, this.#log)
    return call
  }

  /** A call's step number: the recorded one, or a number after all recorded ones if the trace does not have the call. */
  numberOf(call: ReplayCall): number {
    if (call.planned !== undefined) return call.planned.call.step
    const extra = this.all.filter((other) => other.planned === undefined)
    return this.#lastRecorded + 1 + extra.indexOf(call)
  }

  /** The same, by the call's number; 0 for the run itself. */
  stepOf(number: number): number {
    const call = this.#numbered(number)
    return call === undefined ? 0 : this.numberOf(call)
  }

  /** The recorded step of the owner of a nested call, read or timer. */
  recordedOwner(owner: number): number {
    return this.#numbered(owner)?.planned?.call.step ?? 0
  }

  /** Owner 0 is the run itself, not a call. */
  #numbered(number: number): ReplayCall | undefined {
    return number === 0 ? undefined : this.all[number - 1]
  }

  /** Whether a step was called but its function did not run. */
  isStubbed(step: number): boolean {
    return this.all.some((call) => !call.runs && call.planned?.call.step === step)
  }
}
