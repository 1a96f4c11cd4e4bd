import { realTimers } from '../../node/real-timers.ts'
import type { Activity } from './conducted.ts'

/** After this many turns of the event loop without any event, a run that is not busy counts as quiescent. */
const idleTurns = 2

/** How long a run that waits for nothing known is watched before it counts as stuck, in real milliseconds. */
const stuckAfter = 300

/** The most that the time between two looks at the run counts, in real milliseconds: on a busy machine, neither the run nor this process got on. */
const longestLook = 10

/** How long a run may loop without progress before it counts as stuck, in real milliseconds. */
const circlesFor = 1500

/** Fewer rounds than this, plus ten for each recorded step and tick, do not count as a loop, however long they take. */
const leastRounds = 1000

/** Up to this many consecutive turns of the event loop count as work done in slices, however long they take. */
const leastTurns = 10_000

/** A release waits for at most this many consecutive turns that the run asks for: it may keep asking until something arrives. */
const turnsBefore = 10

/** How long work in progress may continue after the replay is stopped, in real milliseconds. */
const stoppedFor = 1000

/** How many timers fire in a stopped replay: more than any client waits for between its attempts. */
const mostPassedOn = 50

/**
 * Distinguishes a run that makes progress from one that is stuck. Recorded events are progress, because their number is limited. Events that
 * the recording does not have (a sleep, a turn of the event loop, a differently answered call) could continue forever, so they are limited
 * here, well beyond what a run needs that polls a few more times.
 */
export class Patience {
  readonly #roundsLeft: number
  #idle = 0
  /** For how long nothing has happened, and when that was last looked at. */
  #quiet = 0
  #lookedAt: number | undefined
  #stoppedSince: number | undefined
  #passedOn = 0
  #rounds = 0
  #turns = 0
  #turnsLet = 0
  #onlyNewSince: number | undefined

  /** @param recorded How many steps and ticks the recording has. */
  constructor(recorded: number) {
    this.#roundsLeft = leastRounds + 10 * recorded
  }

  /** Something happened in the run. */
  stir(): void {
    this.#idle = 0
    this.#quiet = 0
    this.#lookedAt = undefined
  }

  /** A recorded event happened. */
  getOn(): void {
    this.stir()
    this.#rounds = this.#turns = this.#turnsLet = 0
    this.#onlyNewSince = undefined
  }

  /** An event happened that the recording does not have, so its number is not limited. */
  goRound(): void {
    this.stir()
    this.#rounds += 1
    this.#onlyNewSince ??= realTimers.now()
  }

  /** Whether the run is looping without progress. */
  get isInCircles(): boolean {
    return this.#rounds > this.#roundsLeft && isOver(this.#onlyNewSince, circlesFor)
  }

  /** Whether the run has work that the replay does not release. */
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

  /** The run only asked for another turn of the event loop. Returns whether that still counts as work. */
  #waitForTurn(): boolean {
    this.#turns += 1
    this.#onlyNewSince ??= realTimers.now()
    return this.#turns <= leastTurns || !isOver(this.#onlyNewSince, circlesFor - stuckAfter)
  }

  /**
   * Whether a release waits for a turn of the event loop that the run has asked for (`setImmediate`) when the trace does not say how many come
   * before it: what the run does in such a turn comes before what arrived in a later one.
   */
  letsTurn(activity: Activity): boolean {
    if (activity !== 'turning' || this.#turnsLet >= turnsBefore) return false
    this.#turnsLet += 1
    return true
  }

  /** The run's own work is in progress. */
  work(): void {
    this.#idle = 0
  }

  /** Nothing happened in this turn. Returns whether the run is quiescent. */
  idle(): boolean {
    this.#idle += 1
    return this.#idle > idleTurns
  }

  /** Whether nothing happened for a turn. */
  get isIdle(): boolean {
    return this.#idle >= 1
  }

  /** Whether the run gets more real time before it counts as stuck, because not everything it waits for is visible. */
  mayStillMove(): boolean {
    const now = realTimers.now()
    this.#quiet += Math.min(now - (this.#lookedAt ?? now), longestLook)
    this.#lookedAt = now
    return this.#quiet < stuckAfter
  }

  /** The replay was stopped, and a client waits before it tries again or passes the refusal on. Returns whether its timer fires. */
  letsPassOn(): boolean {
    this.#passedOn += 1
    if (this.#passedOn > mostPassedOn) return false
    this.#stoppedSince = undefined
    this.goRound()
    return true
  }

  /** The replay was stopped. Returns whether work in progress gets more time to end. */
  mayStillEnd(): boolean {
    this.#stoppedSince ??= realTimers.now()
    return !isOver(this.#stoppedSince, stoppedFor)
  }
}

function isOver(since: number | undefined, milliseconds: number): boolean {
  return since !== undefined && realTimers.now() - since >= milliseconds
}
