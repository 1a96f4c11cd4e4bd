import { knownOrMade } from '../../node/remember.ts'
import type { Plan, PlannedCheckpoint, PlannedStep } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { Conductor } from '../engine/conductor.ts'
import { areOfSeveral } from '../engine/tick-sources.ts'
import { isSentMessage } from './channel-order.ts'
import type { OrderFault } from './order-fault.ts'

/** What has ended before the agent goes on: a call whose function gave its result directly, or a checkpoint. */
type AtOnce = PlannedStep | PlannedCheckpoint

/** A recorded step, and the call that it was made by. */
export type MadeStep = Pick<OrderFault, 'step' | 'call'>

/** Nearly always. */
const none: readonly MadeStep[] = []

/**
 * Checks what the agent makes against what the recorded run had ended at once before it, with no answer in between: a later tick is not released
 * before either. Which of two branches comes first is not held to, where answers reached both together or the run has worked on its own since.
 */
export class AtOnceOrder {
  readonly #conductor: Conductor
  /** In recorded order. */
  readonly #all: readonly AtOnce[]
  readonly #reached = new Set<AtOnce>()
  readonly #overtakers = new Map<AtOnce, MadeStep[]>()
  /** Those before this index were reached, or are no longer waited for. */
  #first = 0

  constructor({ steps, checkpoints }: Plan, conductor: Conductor) {
    this.#conductor = conductor
    const calls = [...steps.values()].filter((step) => endsAtOnce(step))
    this.#all = [...calls, ...checkpoints].toSorted((one, other) => one.place - other.place)
  }

  /** A call turned out to be a recorded step. Returns the calls that were made before it and were recorded behind it. */
  make(call: ReplayCall, step: PlannedStep): readonly OrderFault[] {
    if (this.#all.length === 0) return none
    const overtakers = endsAtOnce(step) ? this.reach(step) : none
    if (this.#conductor.isDue(step)) this.#note({ step, call })
    // A call may be matched later than the one after it.
    return overtakers.filter((made) => made.call.number < call.number).map((made) => ({ ...made, before: step }))
  }

  /** What ends at once comes. Returns the calls that were made before it and were recorded behind it. */
  reach(atOnce: AtOnce): readonly MadeStep[] {
    this.#reached.add(atOnce)
    return this.#overtakers.get(atOnce) ?? none
  }

  #note(made: MadeStep): void {
    this.#skip()
    for (let index = this.#first; index < this.#all.length; index += 1) {
      const atOnce = this.#all[index]
      if (atOnce === undefined || atOnce.place >= made.step.place) return
      if (this.#reached.has(atOnce) || endOf(atOnce) > made.step.place) continue
      if (this.#mayRace()) return
      knownOrMade(this.#overtakers, atOnce, () => []).push(made)
    }
  }

  /** Passes what was reached, and what was recorded before a tick that has been released without it. */
  #skip(): void {
    for (; this.#first < this.#all.length; this.#first += 1) {
      const atOnce = this.#all[this.#first]
      if (atOnce !== undefined && !this.#reached.has(atOnce) && atOnce.place > this.#conductor.last.place) return
    }
  }

  /** Whether branches of the run may have come this far in either order. */
  #mayRace(): boolean {
    return areOfSeveral(this.#conductor.last.rows) || this.#conductor.hasRunWorked()
  }
}

/** A message is a call where it ends, which need not be where the agent called a function: its order is that of its connection. */
function endsAtOnce({ call, settled }: PlannedStep): boolean {
  return settled?.sync === true && !isSentMessage(call.name)
}

function endOf(atOnce: AtOnce): number {
  return 'row' in atOnce ? atOnce.place : (atOnce.settledPlace ?? Infinity)
}
