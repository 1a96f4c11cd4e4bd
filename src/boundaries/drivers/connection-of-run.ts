import { knownOrMade } from '../../node/remember.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { AnsweredRun } from '../../run/active-run.ts'
import { keepContext, type Scope } from '../../run/scope.ts'
import { type AnswerPlace, sessionSignal, type SessionSignal } from '../../run/sessions.ts'
import { toError, toRecordedError } from '../../trace/recorded-error.ts'
import type { Opening } from './served-connections.ts'

/** How long a connection without a place is waited for, in milliseconds. */
const patience = 500

/** The numbers of a run's connections, by what connects: those that are taken. */
const taken = new WeakMap<object, Map<string, Set<number>>>()

/**
 * A connection that a run opens itself. It takes time in a recording and none in a replay, so each attempt to connect keeps its place by a signal of the
 * run, with the error if it failed. It is no step: a run that finds the connection open does not connect.
 */
export class ConnectionOfRun implements Opening {
  readonly #run: Scope['run']
  readonly #name: string
  readonly #number: number
  #attempt = 1
  /** Recording: no attempt is made any more. */
  #isOver = false
  /** Replaying: where the attempt ended in the recorded run; undefined if it did not. */
  #place: AnswerPlace | undefined
  #isReached = false
  /** Several where the driver opens several connections as one, to the nodes of a cluster. */
  #waiting: (() => void)[] = []
  /** The run has nothing to wait for any more. */
  #rest: () => void = () => undefined

  /** @param name What it connects with: `pg connect`. */
  constructor({ run }: Pick<Scope, 'run'>, name: string) {
    this.#run = run
    this.#name = name
    let number = 1
    while (this.#numbers.has(number)) number += 1
    this.#numbers.add(number)
    this.#number = number
    if (run.mode === 'replay') this.#expect(run)
  }

  /** The driver is connected. */
  opens(): void {
    this.#signal({ request: this.#request, answer: 0 })
    this.#isOver = true
  }

  /** An attempt to connect has failed. The driver may try again. */
  fails(error: unknown): void {
    this.#signal({ request: this.#request, answer: 0, error: toRecordedError(error) })
    if (this.#run.mode === 'record') this.#attempt += 1
  }

  /** The agent is about to know: nothing more is tried. */
  ends(): void {
    this.#isOver = true
    this.#rest()
  }

  /** Replaying: the attempt ends where that of the recorded run did. Nothing else reaches the run from then on until the driver has heard. */
  wait(open: (failure?: unknown) => void): void {
    const { mode } = this.#run
    const context = keepContext()
    const { error } = this.#place ?? {}
    this.#waiting.push(() => context.runInAsyncScope(open, undefined, error === undefined ? undefined : toError(error)))
    if (mode !== 'replay' || this.#isReached) this.#goesOn()
  }

  #goesOn(): void {
    const waiting = this.#waiting.splice(0)
    if (waiting.length > 0 && this.#run.mode === 'replay' && this.#place?.error !== undefined) this.#expectNext(this.#run)
    for (const go of waiting) go()
  }

  #expectNext(run: AnsweredRun): void {
    this.#attempt += 1
    this.#isReached = false
    this.#expect(run)
    // The driver waits before it tries again, and this is its own doing. If it did in the recorded run, nobody ever knew.
    if (this.#place !== undefined) this.#works(run.busy())
    else realTimers.setImmediate(() => this.#rest())
  }

  #expect(run: AnsweredRun): void {
    this.#place = run.sessions.inPlace(this.#request)
    const { later } = this.#place ?? {}
    if (later !== undefined) return this.#awaits(run, later)
    // The recorded run found a connection open; or it never knew what became of a later attempt.
    if (this.#place === undefined && this.#attempt > 1) return
    const rest = run.busy()
    // A client that is closed meanwhile may never tell.
    if (this.#place === undefined) realTimers.setTimeout(rest, patience).unref()
    this.#reaches(rest)
  }

  #awaits(run: AnsweredRun, later: (answer: () => void) => void): void {
    let hasCome = false
    const come = run.opening.wait(() => {
      hasCome = true
      this.#place?.giveBack?.()
      this.#place = undefined
      // The place is that of a connection which is opened later. Those of this run's that have failed before are its own.
      if (this.#attempt === 1) this.#numbers.delete(this.#number)
      this.#reaches(run.busy())
    })
    later(() => {
      come()
      if (!hasCome) this.#reaches(run.opening.hold())
    })
  }

  #reaches(rest: () => void): void {
    this.#works(rest)
    this.#isReached = true
    this.#goesOn()
  }

  #works(rest: () => void): void {
    this.#rest()
    this.#rest = rest
  }

  #signal(signal: SessionSignal): void {
    if (this.#run.mode === 'record' && !this.#run.closed && !this.#isOver) this.#run.signal(sessionSignal, signal)
  }

  get #numbers(): Set<number> {
    const ofRun = knownOrMade(taken, this.#run, () => new Map<string, Set<number>>())
    return knownOrMade(ofRun, this.#name, () => new Set<number>())
  }

  get #request(): string {
    return `${this.#name} ${this.#number}.${this.#attempt}`
  }
}
