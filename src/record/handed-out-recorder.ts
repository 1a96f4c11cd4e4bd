import { type HandedOutEnd, type HandedOutWatcher, handedOutSignals } from '../run/handed-out/handed-out.ts'
import { GivenList } from '../run/handed-out/given-list.ts'
import type { RecordingRun } from './recording-run.ts'

/**
 * Records when something that the agent handed out was read. The reader is outside the run. A read therefore counts as a signal from outside if the
 * run saw another completion since the previous piece. If it did not, the replay asks for the next piece at once, as the recorded reader did.
 */
export class HandedOutRecorder implements HandedOutWatcher {
  readonly describesHeaders = true
  readonly #run: RecordingRun
  readonly #onEnd: (end: HandedOutEnd) => void
  readonly #handedOutAt: number
  /** The number of ticks that the run had seen when a part delivered its last piece. */
  readonly #givenAt = new Map<string, number>()
  readonly #given = new GivenList()

  constructor(run: RecordingRun, onEnd: (end: HandedOutEnd) => void) {
    this.#run = run
    this.#onEnd = onEnd
    this.#handedOutAt = run.ticks.count
  }

  reads(part: string, count: number): void {
    if (this.#run.ticks.count !== (this.#givenAt.get(part) ?? this.#handedOutAt)) this.#run.signal(handedOutSignals.read, { part, count })
  }

  hands(part: string): void {
    const { left, ticks } = this.#run
    this.#given.add(part, { made: left.made, settled: left.settled, tick: ticks.count })
  }

  gives(part: string): void {
    this.#givenAt.set(part, this.#run.ticks.count)
  }

  leaves(part: string, count: number, isWaiting: boolean): void {
    this.#run.signal(handedOutSignals.leave, { part, count, isWaiting })
  }

  ends(end: HandedOutEnd): void {
    const given = this.#given.pieces
    if (given !== undefined) this.#run.given = { given }
    this.#onEnd(end)
  }
}
