import { realTimers } from '../node/real-timers.ts'
import { runOutside } from '../run/scope.ts'
import type { RecorderLimits } from './limits.ts'
import type { RecordingRun } from './recording-run.ts'

type LateLimits = Pick<Required<RecorderLimits>, 'lateMilliseconds' | 'lateRuns'>

/** Those of every recorder: when the process exits, nothing comes any more. */
const watching = new Set<LateRuns>()
/** What nobody tells of is looked for every so many milliseconds. */
const lookEvery = 1_000

let isListening = false
let isExiting = false

/**
 * Watches runs that have settled until nothing is left that they could do, or for a while at most. It keeps no process alive, and delays no result:
 * the run has given its own already.
 */
export class LateRuns {
  readonly #limits: LateLimits
  /** The one that settled first comes first. */
  readonly #runs = new Map<RecordingRun, Watch>()

  constructor(limits: LateLimits) {
    this.#limits = limits
  }

  /** How many are watched. */
  get count(): number {
    return this.#runs.size
  }

  /** @param onClosed Called once nothing more of the run is kept: at once where recording it has ended already. */
  watch(run: RecordingRun, onClosed: () => void): void {
    const { endedAt } = run.left
    if (run.closed || endedAt === undefined) return onClosed()
    const watch = { until: endedAt + this.#limits.lateMilliseconds, onClosed, timer: undefined, isAsked: false }
    this.#runs.set(run, watch)
    if (isExiting || this.#limits.lateMilliseconds === 0) return this.#close(run, run.at())
    this.#listen()
    run.left.onDone = () => this.#ask(run)
    run.left.onEnd = () => this.#close(run, run.at())
    this.#ask(run)
    for (const first of this.#runs.keys()) {
      if (this.#runs.size <= this.#limits.lateRuns) break
      this.#close(first, first.at())
    }
  }

  /** Resolves once it is known of the runs that have settled whether they left something behind. */
  async look(): Promise<void> {
    if (this.#runs.size > 0) await new Promise<void>((resolve) => realTimers.setImmediate(resolve))
  }

  /** Watches none any more. */
  closeAll(): void {
    for (const run of this.#runs.keys()) this.#close(run, run.at())
    watching.delete(this)
  }

  /** Asks in the next turn of the event loop: chains of promises that nobody awaited have gone on by then. */
  #ask(run: RecordingRun): void {
    const watch = this.#runs.get(run)
    if (watch === undefined || watch.isAsked) return
    watch.isAsked = true
    runOutside(() =>
      realTimers.setImmediate(() => {
        watch.isAsked = false
        this.#look(run, watch)
      }),
    )
  }

  #look(run: RecordingRun, watch: Watch): void {
    if (!this.#runs.has(run)) return
    // Where nothing is left, nothing can come any more: that is known for the whole time.
    if (run.closed || !run.left.isAny(watch.until, run.at())) return this.#close(run, watch.until)
    const left = watch.until - run.at()
    if (left <= 0) return this.#close(run, watch.until)
    if (watch.timer === undefined) run.writeEnd()
    else realTimers.clearTimeout(watch.timer)
    watch.timer = realTimers.setTimeout(() => this.#look(run, watch), Math.min(left, lookEvery)).unref()
  }

  #close(run: RecordingRun, until: number): void {
    const watch = this.#runs.get(run)
    if (watch === undefined) return
    this.#runs.delete(run)
    realTimers.clearTimeout(watch.timer)
    run.close(Math.min(until, watch.until))
    watch.onClosed()
  }

  #listen(): void {
    watching.add(this)
    if (isListening) return
    isListening = true
    // Before what waits for the logs to be written.
    process.prependOnceListener('exit', closeAllAtExit)
  }
}

interface Watch {
  /** In milliseconds since the run started. */
  readonly until: number
  readonly onClosed: () => void
  timer: NodeJS.Timeout | undefined
  isAsked: boolean
}

function closeAllAtExit(): void {
  isExiting = true
  for (const runs of watching) runs.closeAll()
}
