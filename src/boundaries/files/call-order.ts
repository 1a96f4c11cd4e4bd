import { AsyncLocalStorage } from 'node:async_hooks'
import { realTimers } from '../../node/real-timers.ts'
import type { ActiveRun } from '../../run/active-run.ts'

/** A call whose result is to come. */
export interface OrderedCall {
  /** It has a result: gives it when it is its turn. */
  ends(give: () => void): void
}

/**
 * Results of files come in the order in which the run asked for them, each in a turn of the event loop of its own. A disk gives them in any
 * order, and branches of a run that wait for files would go on in another order in each replay.
 */
export class CallOrder {
  readonly #run: ActiveRun
  readonly #waiting: { give?: () => void }[] = []

  constructor(run: ActiveRun) {
    this.#run = run
  }

  /** A call is asked for. It has to end. */
  begins(): OrderedCall {
    const call: { give?: () => void } = {}
    this.#waiting.push(call)
    return {
      ends: (give) => {
        const inContext = AsyncLocalStorage.snapshot()
        const release = this.#run.mode === 'replay' ? this.#run.busy() : undefined
        call.give = () => {
          // What it goes on with has begun by then.
          try {
            inContext(give)
          } finally {
            release?.()
          }
        }
        if (this.#waiting[0] === call) this.#giveNext()
      },
    }
  }

  #giveNext(): void {
    realTimers.setImmediate(() => {
      try {
        this.#waiting.shift()?.give?.()
      } finally {
        if (this.#waiting[0]?.give !== undefined) this.#giveNext()
      }
    })
  }
}
