import { realTimers } from '../../node/real-timers.ts'
import type { Activity } from './conducted.ts'

/** Turns of the event loop without anything happening, after which a run that is not busy counts as quiescent. */
const idleTurns = 2

/** For how long a run that waits for nothing that is known is looked at before it counts as stuck, in real milliseconds. */
const stuckAfter = 300

/** For how long a run goes round in circles before it counts as stuck, in real milliseconds. */
const circlesFor = 1500

/** So many rounds are no circle yet, however long they take; and ten for each step and tick of the recording. */
const leastRounds = 1000

/** So many turns of the event loop that a run asks for one after the other are work done in pieces, however long they take. */
const leastTurns = 10_000

/** For how long the work goes on that is under way when the replay is stopped, in real milliseconds. */
const stoppedFor = 1000

/**
 * Tells a run that gets on from one that waits for what never comes or goes round in circles. It gets on when something of the recording
 * happens: there is only so much of that. What the recording does not have (a sleep, a turn of the event loop, a call that was answered
 * otherwise) may come without end; it has an end here, well beyond what a run does that polls a few times more.
 */
export class Patience {
  readonly #roundsLeft: number
  #idle = 0
  #quietSince: number | undefined
  #stoppedSince: number | undefined
  #rounds = 0
  #turns = 0
  #onlyNewSince: number | undefined

  /** @param recorded How many steps and ticks the recording has. */
  constructor(recorded: number) {
    this.#roundsLeft = leastRounds + 10 * recorded
  }

  /** Something happened in the run. */
  stir(): void {
    this.#idle = 0
    this.#quietSince = undefined
  }

  /** Something happened that the recording has. */
  getOn(): void {
    this.stir()
    this.#rounds = this.#turns = 0
    this.#onlyNewSince = undefined
  }

  /** Something happened that the recording does not have, and that nothing of the recording bounds. */
  goRound(): void {
    this.stir()
    this.#rounds += 1
    this.#onlyNewSince ??= realTimers.now()
  }

  /** Nothing but circles: it is over with the run. */
  get isInCircles(): boolean {
    return this.#rounds > this.#roundsLeft && isOver(this.#onlyNewSince, circlesFor)
  }

  /** Whether the run has something to do that is not the replay's to release. */
  waitsFor(activity: Activity): boolean {
    switch (activity) {
      case 'working':
        return true
      case 'sending':
        return this.mayStillMove()
      case 'turning':
        return this.#waitForTurn()
      case 'none':
        return false
    }
  }

  /** The run asked for another turn of the event loop, and for nothing else. Tells whether that still counts as work. */
  #waitForTurn(): boolean {
    this.#turns += 1
    this.#onlyNewSince ??= realTimers.now()
    return this.#turns <= leastTurns || !isOver(this.#onlyNewSince, circlesFor - stuckAfter)
  }

  /** The run has work of its own under way. */
  work(): void {
    this.#idle = 0
  }

  /** Nothing happened in this turn. Tells whether the run is quiescent. */
  idle(): boolean {
    this.#idle += 1
    return this.#idle > idleTurns
  }

  /** Whether nothing happened for a turn. */
  get isIdle(): boolean {
    return this.#idle >= 1
  }

  /** Not all that a run waits for shows: whether it gets another moment of real time before it counts as stuck. */
  mayStillMove(): boolean {
    this.#quietSince ??= realTimers.now()
    return !isOver(this.#quietSince, stuckAfter)
  }

  /** The replay was stopped: whether what is under way gets another moment to end. */
  mayStillEnd(): boolean {
    this.#stoppedSince ??= realTimers.now()
    return !isOver(this.#stoppedSince, stoppedFor)
  }
}

function isOver(since: number | undefined, milliseconds: number): boolean {
  return since !== undefined && realTimers.now() - since >= milliseconds
}
