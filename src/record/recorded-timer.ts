import { realTimers } from '../node/real-timers.ts'
import type { RunTimer } from '../run/active-run.ts'
import type { TimerKey } from '../trace/rows.ts'
import type { LeftTimer } from './left-work.ts'
import type { RowRecorder } from './row-recorder.ts'

/** A real timer that writes a row when it fires. */
export class RecordedTimer implements RunTimer, LeftTimer {
  active = true
  readonly #run: RowRecorder
  readonly #owner: number
  readonly #delay: number
  readonly #repeats: boolean
  readonly #fire: () => void
  /** When set anew, it stays in the context in which it was made, whoever sets it. */
  readonly #handle: NodeJS.Timeout
  key: TimerKey
  /** When the last completion that the run had seen before setting the timer came about. */
  since = 0
  #due = 0

  constructor(run: RowRecorder, owner: number, delay: number, repeats: boolean, fire: () => void) {
    this.#run = run
    this.#owner = owner
    this.#delay = delay
    this.#repeats = repeats
    this.#fire = fire
    this.key = this.#count()
    this.#handle = realTimers.setTimeout(this.#expire, delay)
  }

  isDueBy(at: number): boolean {
    return this.#due <= at
  }

  cancel(): void {
    if (this.active) this.#run.left.timerFails(this, this.#run.at())
    this.active = false
    this.#run.left.timerStops(this)
    realTimers.clearTimeout(this.#handle)
  }

  refresh(): void {
    if (this.active) this.#run.left.timerFails(this, this.#run.at())
    this.active = true
    this.#arm()
  }

  reference(keeps: boolean): void {
    if (keeps) this.#handle.ref()
    else this.#handle.unref()
  }

  #arm(): void {
    this.key = this.#count()
    this.#handle.refresh()
  }

  #count(): TimerKey {
    const { ticks, left } = this.#run
    const [owner, delay] = [this.#owner, this.#delay]
    const occurrence = ticks.countTimer(owner, delay)
    this.#due = this.#run.at() + delay
    this.since = left.completedAt
    left.timerStarts(this)
    return { owner, set: ticks.count, delay, ...(occurrence === 1 ? {} : { occurrence }) }
  }

  readonly #expire = (): void => {
    const row = { kind: 'timer', ...this.key, at: this.#run.at() } as const
    this.#run.push({ ...row, ...this.#run.ticks.complete() })
    if (this.#repeats) this.#arm()
    else {
      this.active = false
      this.#run.left.timerStops(this)
    }
    this.#fire()
  }
}
