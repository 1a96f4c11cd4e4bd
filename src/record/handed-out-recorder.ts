import { type HandedOutEnd, type HandedOutWatcher, handedOutSignals } from '../run/handed-out/handed-out.ts'
import type { RecordingRun } from './recording-run.ts'

/**
 * Records when what an agent handed out was read. Who reads it is outside of the run, so that it reached the run from outside where something else
 * had since the piece before; asked for in the same breath, the next piece is asked for in the same breath in a replay.
 */
export class HandedOutRecorder implements HandedOutWatcher {
  readonly #run: RecordingRun
  readonly #onEnd: (end: HandedOutEnd) => void
  readonly #handedOutAt: number
  /** How many ticks the run had seen when a part gave its last piece. */
  readonly #givenAt = new Map<string, number>()

  constructor(run: RecordingRun, onEnd: (end: HandedOutEnd) => void) {
    this.#run = run
    this.#onEnd = onEnd
    this.#handedOutAt = run.ticks.count
  }

  reads(part: string, count: number): void {
    if (this.#run.ticks.count !== (this.#givenAt.get(part) ?? this.#handedOutAt)) this.#run.signal(handedOutSignals.read, { part, count })
  }

  gives(part: string): void {
    this.#givenAt.set(part, this.#run.ticks.count)
  }

  leaves(part: string, count: number, isWaiting: boolean): void {
    this.#run.signal(handedOutSignals.leave, { part, count, isWaiting })
  }

  ends(end: HandedOutEnd): void {
    this.#onEnd(end)
  }
}
