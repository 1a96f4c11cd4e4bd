import { AsyncLocalStorage } from 'node:async_hooks'
import { realTimers } from '../../node/real-timers.ts'
import type { ActiveRun } from '../../run/active-run.ts'

/** A call whose result is to come. */
export interface OrderedResult {
  /** It has a result: gives it when it is its turn. */
  ends(give: () => void): void
}

/** In a recording, so long a result is waited for by those of later calls, in milliseconds: a named pipe has none until somebody writes. */
const LONGEST = 2000

interface Waiting {
  readonly since: number
  give?: () => void
}

/**
 * Results of files come in the order in which the run asked for them, each in a turn of the event loop of its own. A disk gives them in any
 * order, and branches of a run that wait for files would go on in another order in each replay.
 */
export class ResultOrder {
  readonly #run: ActiveRun
  readonly #waiting: Waiting[] = []
  #isGiving = false
  #timer: NodeJS.Timeout | undefined

  constructor(run: ActiveRun) {
    this.#run = run
  }

  /** A call is asked for. It has to end. */
  begins(): OrderedResult {
    const call: Waiting = { since: realTimers.now() }
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
        this.#giveLater()
      },
    }
  }

  #giveLater(): void {
    if (this.#isGiving) return
    realTimers.clearTimeout(this.#timer)
    const next = this.#waiting.findIndex(({ give }) => give !== undefined)
    if (next === -1) return
    const before = this.#waiting[next - 1]
    if (before !== undefined) {
      const wait = before.since + LONGEST - realTimers.now()
      if (wait > 0 && this.#run.mode === 'record') this.#timer = realTimers.setTimeout(() => this.#giveLater(), wait)
      if (wait > 0 || this.#run.mode === 'replay') return
    }
    this.#isGiving = true
    const [{ give } = {}] = this.#waiting.splice(next, 1)
    realTimers.setImmediate(() => {
      try {
        give?.()
      } finally {
        this.#isGiving = false
        this.#giveLater()
      }
    })
  }
}
