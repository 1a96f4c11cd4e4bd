import { AsyncLocalStorage } from 'node:async_hooks'
import { realTimers } from '../../node/real-timers.ts'
import type { ActiveRun } from '../../run/active-run.ts'

/** A call whose result is pending. */
export interface OrderedResult {
  /** The call has a result: delivers it in its turn. */
  ends(give: () => void): void
}

/** In a recording, the longest time in milliseconds that later results wait for this one: a named pipe has none until somebody writes. */
const LONGEST = 2000

interface Waiting {
  readonly since: number
  give?: () => void
}

/**
 * Delivers file results in the order of the run's calls, each in a separate turn of the event loop. A disk returns them in any order, so
 * branches of a run that wait for files would otherwise continue in a different order in each replay.
 */
export class ResultOrder {
  readonly #run: ActiveRun
  readonly #waiting: Waiting[] = []
  #isGiving = false
  #timer: NodeJS.Timeout | undefined

  constructor(run: ActiveRun) {
    this.#run = run
  }

  /** Begins a call. It has to end. */
  begins(): OrderedResult {
    const call: Waiting = { since: realTimers.now() }
    this.#waiting.push(call)
    return {
      ends: (give) => {
        const inContext = AsyncLocalStorage.snapshot()
        const release = this.#run.mode === 'replay' ? this.#run.busy() : undefined
        call.give = () => {
          // Everything that continues with the result has begun by then.
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
