import { types } from 'node:util'
import { callAsStep, type FunctionStep } from '../function-step.ts'
import { runInScope, type Scope } from '../scope.ts'
import type { Method } from './client-objects.ts'

/** The owner of a call's callbacks. */
export interface CallbackOwner {
  readonly scope: Scope
  /** The name of the step that passes them to the client. */
  readonly path: string
  readonly form: FunctionStep['result']
  /** Converts an argument from the client to the agent's form. */
  readonly give: (arg: unknown) => unknown
}

/** Functions that were called during a client's call, in this turn. */
let calledAtOnce: Callback[] = []
let clientsUnderWay = 0

/**
 * The functions that an agent passes to a client: a transaction's function, or a callback as last argument. Each call by the client is a
 * separate step, whose result is the client's arguments; a replay calls the function with them at the recorded time.
 */
export class Callbacks {
  readonly #owner: CallbackOwner
  readonly #callbacks: readonly Callback[]

  constructor(owner: CallbackOwner, functions: readonly Method[]) {
    this.#owner = owner
    this.#callbacks = functions.map((body, index) => new Callback(owner, body, functions.length > 1 ? index + 1 : undefined))
  }

  /** The functions that the client gets instead of the agent's. */
  get given(): readonly Method[] {
    return this.#callbacks.map((callback) => callback.given)
  }

  /** Recording: calls the client. */
  during(call: () => unknown): unknown {
    for (const callback of this.#callbacks) callback.arm()
    clientsUnderWay += 1
    let result: unknown
    try {
      result = call()
      return result
    } finally {
      clientsUnderWay -= 1
      if (!types.isPromise(result)) for (const callback of calledAtOnce) callback.refuse()
      if (clientsUnderWay === 0) calledAtOnce = []
      // A callback-style interface calls it once, later.
      for (const callback of this.#callbacks) callback.isLast = !types.isPromise(result)
    }
  }

  /** Recording: the client's call has ended. */
  close(): void {
    for (const callback of this.#callbacks) callback.close()
  }

  /** Replaying: calls the functions as the client did, and fails as they do. */
  replay(result: unknown): unknown {
    const isPromise = types.isPromise(result)
    const failures: unknown[] = []
    for (const callback of this.#callbacks) void callback.replay(!isPromise, failures)
    if (!isPromise || this.#callbacks.length === 0) return result
    return result.then(
      (output: unknown) => {
        if (failures.length > 0) throw failures[0]
        return output
      },
      (error: unknown) => {
        throw failures.length > 0 ? failures[0] : error
      },
    )
  }

  get isReplayed(): boolean {
    return this.#owner.scope.run.mode === 'replay'
  }
}

/** A future call that settles synchronously, so that the trace has the end of its step before its consequences. */
class Called extends Promise<never> {
  readonly #waiting: ((args: unknown) => unknown)[] = []

  constructor() {
    super(() => undefined)
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a promise's own `then` notifies in a later microtask
  override then(wait: unknown): Promise<never> {
    this.#waiting.push(wait as (args: unknown) => unknown)
    return this
  }

  readonly tell = (args: readonly unknown[] | undefined): void => this.#waiting.forEach((wait) => wait(args))
}

class Callback {
  readonly given: Method
  isLast = false
  readonly #owner: CallbackOwner
  readonly #body: (...args: unknown[]) => unknown
  readonly #step: FunctionStep
  #answer: ((args: readonly unknown[] | undefined) => void) | undefined

  /** @param number Its number among several callbacks. */
  constructor(owner: CallbackOwner, body: Method, number: number | undefined) {
    this.#owner = owner
    this.#body = body as (...args: unknown[]) => unknown
    this.#step = { boundary: 'external', name: `${owner.path}.callback`, input: () => number, ...(owner.form && { result: owner.form }) }
    this.given = (...args: readonly unknown[]) => this.#call(args)
  }

  /** Creates the step that its next call settles. */
  arm(): void {
    const called = new Called()
    this.#answer = called.tell
    runInScope(this.#owner.scope, () => callAsStep(this.#step, [], () => called))
  }

  close(): void {
    this.#answer?.(undefined)
    this.#answer = undefined
  }

  refuse(): void {
    const { scope, path } = this.#owner
    const where = `${path}, which calls a function of the agent before it returns (wrap the whole call: external('…', () => …))`
    if (!scope.run.closed) scope.run.note('unkept-value', where)
  }

  /** Replaying: makes each recorded step a call of the function. */
  async replay(isLast: boolean, failures: unknown[]): Promise<void> {
    for (let next = this.#asked(); ;) {
      const args = await next
      if (!Array.isArray(args)) return
      if (!isLast) next = this.#asked()
      try {
        const result = Reflect.apply(this.#body, undefined, args)
        if (types.isPromise(result)) result.catch((error: unknown) => failures.push(error))
      } catch (error) {
        failures.push(error)
      }
      if (isLast) return
    }
  }

  async #asked(): Promise<unknown> {
    return await callAsStep(this.#step, [], () => undefined)
  }

  #call(args: readonly unknown[]): unknown {
    const { scope, path, give } = this.#owner
    const given = args.map(give)
    const answer = this.#answer
    this.#answer = undefined
    if (answer !== undefined) answer(given)
    else if (!scope.run.closed) scope.run.note('unkept-value', `${path}, which calls a function of the agent after it has ended`)
    if (answer !== undefined && !this.isLast) this.arm()
    if (clientsUnderWay > 0) calledAtOnce.push(this)
    return runInScope(scope, () => Reflect.apply(this.#body, undefined, given))
  }
}
