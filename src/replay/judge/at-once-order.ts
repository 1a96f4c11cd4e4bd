import { knownOrMade } from '../../trace/remember.ts'
import type { Plan, PlannedCheckpoint, PlannedStep } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { Conductor } from '../engine/conductor.ts'
import { areOfSeveral } from '../engine/tick-sources.ts'
import { isSentMessage } from './channel-order.ts'
import type { OrderFault } from './order-fault.ts'

/** Something that has ended before the agent continues: a call whose function returned its result synchronously, or a checkpoint. */
type AtOnce = PlannedStep | PlannedCheckpoint

/** A recorded step, and the replayed call that matched it. */
export type MadeStep = Pick<OrderFault, 'step' | 'call'>

/** The usual result. */
const none: readonly MadeStep[] = []

/**
 * Checks the agent's calls against what ended synchronously before them in the recorded run, with no answer in between, because a later tick
 * is not released before either. Does not enforce the order of two branches if answers reached both together, or if the run has done its own
 * work since.
 */
export class AtOnceOrder {
  readonly #conductor: Conductor
  /** In recorded order. */
  readonly #all: readonly AtOnce[]
  readonly #reached = new Set<AtOnce>()
  readonly #overtakers = new Map<AtOnce, MadeStep[]>()
  /** Everything before this index was reached, or is no longer waited for. */
  #first = 0

  constructor({ steps, checkpoints }: Plan, conductor: Conductor) {
    this.#conductor = conductor
    const calls = [...steps.values()].filter((step) => endsAtOnce(step))
    this.#all = [...calls, ...checkpoints].toSorted((one, other) => one.place - other.place)
  }

  /** A call was matched with a recorded step. Returns the calls that were made before it but recorded after it. */
  make(call: ReplayCall, step: PlannedStep): readonly OrderFault[] {
    if (this.#all.length === 0) return none
    const overtakers = endsAtOnce(step) ? this.reach(step) : none
    if (this.#conductor.isDue(step)) this.#note({ step, call })
    // A call may be matched later than the one after it.
    return overtakers.filter((made) => made.call.number < call.number).map((made) => ({ ...made, before: step }))
  }

  /** A call or a checkpoint that ends synchronously was reached. Returns the calls that were made before it but recorded after it. */
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

  /** Skips what was reached, and what was recorded before a tick that was released without it. */
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

/** A message is recorded as a call where it ends, which may not be where the agent called a function. Its connection determines its order. */
function endsAtOnce({ call, settled }: PlannedStep): boolean {
  return settled?.sync === true && !isSentMessage(call.name)
}

function endOf(atOnce: AtOnce): number {
  return 'row' in atOnce ? atOnce.place : (atOnce.settledPlace ?? Infinity)
}
