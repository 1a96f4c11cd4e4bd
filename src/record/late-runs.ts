import { realTimers } from '../node/real-timers.ts'
import { runOutside } from '../run/scope.ts'
import type { WatchEnd } from '../trace/rows.ts'
import type { RecorderLimits } from './limits.ts'
import type { RecordingRun } from './recording-run.ts'

type LateLimits = Pick<Required<RecorderLimits>, 'lateMilliseconds' | 'lateRuns'>

/** The `LateRuns` of every recorder: nothing more can happen once the process exits. */
const watching = new Set<LateRuns>()
/** The interval, in milliseconds, for noticing changes that are not reported. */
const lookEvery = 1_000

/** How often callbacks that are due in one turn may schedule further ones before the last runs are closed. */
const lastTicks = 10

let isListening = false
let isExiting = false

/**
 * Watches runs that have settled until they have nothing left to do or a time limit passes. It keeps no process alive and delays no result: the run
 * has already returned its own.
 */
export class LateRuns {
  readonly #limits: LateLimits
  /** In the order in which the runs settled. */
  readonly #runs = new Map<RecordingRun, Watch>()

  constructor(limits: LateLimits) {
    this.#limits = limits
  }

  /** The number of runs that are watched. */
  get count(): number {
    return this.#runs.size
  }

  /** @param onClosed Called once nothing more of the run is recorded: at once if its recording has already ended. */
  watch(run: RecordingRun, onClosed: () => void): void {
    const { endedAt } = run.left
    if (run.closed || endedAt === undefined) return onClosed()
    const watch = { until: endedAt + this.#limits.lateMilliseconds, onClosed, timer: undefined, isAsked: false }
    this.#runs.set(run, watch)
    if (isExiting || this.#limits.lateMilliseconds === 0) return this.#close(run, run.at(), isExiting ? 'exit' : 'time')
    this.#listen()
    run.left.onDone = () => this.#ask(run)
    // Its recording has ended, so it has no last row.
    run.left.onEnd = () => this.#close(run, run.at(), 'done')
    this.#ask(run)
    for (const first of this.#runs.keys()) {
      if (this.#runs.size <= this.#limits.lateRuns) break
      this.#close(first, first.at(), 'runs')
    }
  }

  /** Resolves once every settled run has been checked for work that it left behind. */
  async look(): Promise<void> {
    if (this.#runs.size > 0) await new Promise<void>((resolve) => realTimers.setImmediate(resolve))
  }

  /**
   * Resolves once settled runs have done what they do in the same turn of the event loop: a client that was closed as the last act of its run sends
   * its last message when the message before has been written.
   */
  async pass(): Promise<void> {
    for (let tick = 0; tick < lastTicks && this.#runs.size > 0; tick += 1) await new Promise<void>((resolve) => process.nextTick(resolve))
  }

  /** Stops watching every run. */
  closeAll(by: WatchEnd): void {
    for (const run of this.#runs.keys()) this.#close(run, run.at(), by)
    watching.delete(this)
  }

  /** Checks in the next turn of the event loop, after chains of promises that nobody awaited have advanced. */
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
    // If nothing is left, nothing more can happen: the run counts as watched for the whole time.
    if (run.closed || !run.left.isAny(watch.until, run.at())) return this.#close(run, watch.until, 'done')
    const left = watch.until - run.at()
    if (left <= 0) return this.#close(run, watch.until, 'time')
    if (watch.timer === undefined) run.writeEnd()
    else realTimers.clearTimeout(watch.timer)
    watch.timer = realTimers.setTimeout(() => this.#look(run, watch), Math.min(left, lookEvery)).unref()
  }

  #close(run: RecordingRun, until: number, by: WatchEnd): void {
    const watch = this.#runs.get(run)
    if (watch === undefined) return
    this.#runs.delete(run)
    realTimers.clearTimeout(watch.timer)
    run.close(Math.min(until, watch.until), by)
    watch.onClosed()
  }

  #listen(): void {
    watching.add(this)
    if (isListening) return
    isListening = true
    // Runs before the listener that waits for the logs to be written.
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
  for (const runs of watching) runs.closeAll('exit')
}
