import { knownOrMade } from '../../trace/remember.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { AnsweredRun } from '../../run/active-run.ts'
import { currentScope, keepContext, type Scope } from '../../run/scope.ts'
import { type AnswerPlace, sessionSignal, type SessionSignal } from '../../run/sessions.ts'
import { toError, toRecordedError } from '../../trace/recorded-error.ts'
import type { Opening } from './served-connections.ts'

const connections = new WeakMap<object, ConnectionOfRun>()

/** The connection that a run is opening, or has opened, by the driver's object for it: the client, or the settings of the connection. */
export function connectionOf(driver: object): ConnectionOfRun | undefined {
  return connections.get(driver)
}

/** Notes that the running code connects. Returns undefined outside of runs. @param name The name of connecting: `redis connect`. */
export function startConnecting(driver: object, name: string): ConnectionOfRun | undefined {
  const scope = currentScope()
  const connection = scope && new ConnectionOfRun(scope, name)
  if (connection !== undefined) connections.set(driver, connection)
  return connection
}

/** How long to wait for a connection that has no recorded place, in milliseconds. */
const patience = 500

/** The connection numbers in use, by run and by name of connecting. */
const taken = new WeakMap<object, Map<string, Set<number>>>()

/**
 * A connection that a run opens itself. It takes time in a recording and none in a replay, so a signal of the run records the place of each
 * attempt to connect, with the error if it failed. It is not a step: a run that finds the connection open does not connect.
 */
class ConnectionOfRun implements Opening {
  readonly #run: Scope['run']
  readonly #name: string
  readonly #number: number
  #attempt = 1
  /** Recording: no further attempt is made. */
  #isOver = false
  /** Replaying: where the attempt ended in the recorded run; undefined if it did not end. */
  #place: AnswerPlace | undefined
  #isReached = false
  /** Several if the driver opens several connections as one, to the nodes of a cluster. */
  #waiting: (() => void)[] = []
  /** Ends the run's wait. */
  #rest: () => void = () => undefined

  /** @param name The name of connecting: `pg connect`. */
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

  /** The agent is about to be notified: no further attempt is made. */
  ends(): void {
    this.#isOver = true
    this.#rest()
  }

  /** Replaying: ends the attempt where the recorded attempt ended. From then on, nothing else reaches the run until the driver is notified. */
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
    // The driver itself waits before it tries again. Without a place, the recorded run never learned the outcome of another attempt.
    if (this.#place !== undefined) this.#works(run.busy())
    else realTimers.setImmediate(() => this.#rest())
  }

  #expect(run: AnsweredRun): void {
    this.#place = run.sessions.inPlace(this.#request)
    const { later } = this.#place ?? {}
    if (later !== undefined) return this.#awaits(run, later)
    // The recorded run found a connection open, or never learned the outcome of a later attempt.
    if (this.#place === undefined && this.#attempt > 1) return
    const rest = run.busy()
    // A client that is closed in the meantime may never report it.
    if (this.#place === undefined) realTimers.setTimeout(rest, patience).unref()
    this.#reaches(rest)
  }

  #awaits(run: AnsweredRun, later: (answer: () => void) => void): void {
    let hasCome = false
    const come = run.opening.wait(() => {
      hasCome = true
      this.#place?.giveBack?.()
      this.#place = undefined
      // The place belongs to a connection that is opened later. After a failed attempt, the number stays this connection's.
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
