import { types } from 'node:util'
import type { ActiveRun, FunctionCall, Invoke } from '../../run/active-run.ts'
import { runInScope } from '../../run/scope.ts'
import { ValueNotKeptError } from '../../trace/errors/value-not-kept-error.ts'
import { toError } from '../../trace/recorded-error.ts'
import type { CompletionRow, ReturnRow, Settled, ThrowRow } from '../../trace/rows.ts'
import { findUnkept } from '../../trace/unkept-value.ts'
import { copyValue } from '../../trace/values.ts'
import { Delivery } from '../calls/replay-call.ts'

/** A function as an agent calls it. */
export interface CalledFunction {
  readonly made: FunctionCall
  readonly invoke: Invoke
  /** Runs in place of the function. */
  readonly substitute: ((input: unknown) => unknown) | undefined
  readonly run: ActiveRun
}

/** Settles a function call: by a promise, or synchronously if the recorded function did not return one. */
export class FunctionDelivery extends Delivery {
  readonly #settling = Promise.withResolvers<unknown>()
  readonly promise: Promise<unknown> = this.#settling.promise
  /** In a fork: the input that replaces the agent's. */
  edited: { readonly input: unknown } | undefined
  /** Whether the agent has been given the promise. */
  isPromised = false
  /** Released when the call settles, because calls are kept until the replay is over. */
  #function: CalledFunction | undefined

  constructor(called: CalledFunction) {
    super()
    this.#function = called
    // The verdict reports it. An unhandled rejection must not end the process.
    this.promise.catch(() => undefined)
  }

  protected deliver(row: CompletionRow): void {
    if (row.kind === 'throw') this.refuse(toError(row.error, this.#function?.made.errors))
    if (row.kind !== 'return') return
    try {
      this.#settling.resolve(this.#take(row))
    } catch (error) {
      this.refuse(error)
    }
  }

  /** The value that the agent gets: a promise, if the recorded function did not settle synchronously. */
  give(settled: ReturnRow | ThrowRow | undefined): unknown {
    this.isPromised = true
    return settled?.sync === true ? this.#settleNow(settled) : this.promise
  }

  /** Returns what the recorded function returned directly, or throws what it threw. */
  #settleNow(row: ReturnRow | ThrowRow): unknown {
    if (row.kind === 'return') return this.#take(row)
    const error = toError(row.error, this.#function?.made.errors)
    this.#settled({ error })
    throw error
  }

  /** Runs the function itself, if the agent already has the promise of its result. */
  run(): void {
    this.#settleBy(new Promise((resolve) => resolve(this.#call())))
  }

  /** Runs the function itself, and settles in the same way. */
  follow(): unknown {
    let result: unknown
    try {
      result = this.#call()
    } catch (error) {
      this.#settledAtOnce({ error })
      throw error
    }
    if (types.isPromise(result)) {
      this.#settleBy(result)
      return this.promise
    }
    this.#settledAtOnce({ output: result })
    return result
  }

  #settleBy(result: Promise<unknown>): void {
    result.then(
      (output) => this.answer(output),
      (error: unknown) => this.refuse(error),
    )
  }

  /** The input that the agent passes. */
  get input(): unknown {
    return this.#function?.made.input
  }

  /** Whether the function can be called with a different input. */
  get isEditable(): boolean {
    return this.#function?.substitute !== undefined || this.#function?.made.takes !== undefined
  }

  #call(): unknown {
    if (this.#function === undefined) throw new TypeError('the function of a settled call was called')
    const { made, invoke, substitute, run } = this.#function
    const input = this.edited === undefined ? made.input : this.edited.input
    return runInScope({ run, owner: this.call?.number ?? 0 }, () => {
      if (substitute !== undefined) return substitute(input)
      if (this.edited === undefined) return invoke()
      return invoke(made.takes === 'one' ? [input] : (input as readonly unknown[]))
    })
  }

  answer(output: unknown): void {
    this.#settled({ output })
    this.#settling.resolve(output)
  }

  refuse(error: unknown): void {
    this.#settled({ error })
    this.#settling.reject(error)
  }

  /** Settles with a recorded result. Returns it in the form that the agent gets. */
  #take(row: ReturnRow): unknown {
    const kept = copyValue(row.output)
    const result = this.#function?.made.result
    const unkept = result === undefined ? findUnkept(row.output) : undefined
    if (unkept !== undefined) {
      const { path, reason } = unkept
      throw new ValueNotKeptError({ path, reason, where: `the output of step ${row.step} (${this.call?.name})` })
    }
    const given = result === undefined ? kept : result.revive(kept)
    this.#settled({ output: kept })
    return given
  }

  #settledAtOnce(outcome: Settled): void {
    if (this.call !== undefined) this.call.ranAtOnce = true
    this.#settled(outcome)
  }

  #settled(outcome: Settled): void {
    if (this.call === undefined || this.call.outcome !== undefined) return
    this.call.outcome = outcome
    this.#function = undefined
    this.settle()
  }
}
