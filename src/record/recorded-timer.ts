import { realTimers } from '../boundaries/timer/real-timers.ts'
import type { RunTimer } from '../run/active-run.ts'
import { runOutside } from '../run/scope.ts'
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
  /** Set anew it is in the context that it was made in, by whomever that is done. */
  readonly #handle: NodeJS.Timeout
  #set = 0
  #occurrence = 1
  #due = 0
  #hasFiredLate = false

  constructor(run: RowRecorder, owner: number, delay: number, repeats: boolean, fire: () => void) {
    this.#run = run
    this.#owner = owner
    this.#delay = delay
    this.#repeats = repeats
    this.#fire = fire
    this.#count()
    this.#handle = realTimers.setTimeout(this.#expire, delay)
  }

  /** Of one that repeats, only the first firing after the run counts. */
  isDueBy(at: number): boolean {
    return this.#due <= at && !(this.#repeats && this.#hasFiredLate)
  }

  cancel(): void {
    this.active = false
    this.#run.left.timerStops(this)
    realTimers.clearTimeout(this.#handle)
  }

  refresh(): void {
    this.active = true
    this.#arm()
  }

  reference(keeps: boolean): void {
    if (keeps) this.#handle.ref()
    else this.#handle.unref()
  }

  #arm(): void {
    this.#count()
    this.#handle.refresh()
  }

  #count(): void {
    this.#set = this.#run.tick
    this.#occurrence = this.#run.countTimer(this.#owner, this.#delay)
    this.#due = this.#run.at() + this.#delay
    this.#run.left.timerStarts(this)
  }

  readonly #expire = (): void => {
    if (this.#hasFiredLate && this.#repeats) {
      this.#arm()
      return runOutside(this.#fire)
    }
    this.#hasFiredLate = this.#run.left.isLate
    const row = {
      kind: 'timer',
      owner: this.#owner,
      set: this.#set,
      delay: this.#delay,
      ...(this.#occurrence === 1 ? {} : { occurrence: this.#occurrence }),
      at: this.#run.at(),
    } as const
    this.#run.push({ ...row, ...this.#run.ticks.complete() })
    if (this.#repeats) this.#arm()
    else {
      this.active = false
      this.#run.left.timerStops(this)
    }
    this.#fire()
  }
}
