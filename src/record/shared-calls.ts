import { hostOf } from '../http/host-of.ts'
import type { RecordedRun } from '../run/active-run.ts'
import { isPart, settles, stepOf } from './raw/entry-kinds.ts'
import type { RawEntry, RawRow } from './raw/raw-entry.ts'
import type { RowRecorder } from './row-recorder.ts'

/** The part of a run that `SharedCalls` uses. */
type SharingRun = Pick<RecordedRun, 'id' | 'closed' | 'note'> & Pick<RowRecorder, 'isAmbient'>

/** An answer that reached a run. It does not keep the run in memory. */
interface SharedAnswer {
  readonly id: string
  readonly run: WeakRef<SharingRun>
  readonly step: number
  readonly name: string
  /** The number of the answer, counted over the whole process. */
  readonly moment: number
}

/** The latest answer that reached any run of this process. */
let last: SharedAnswer | undefined
let moments = 0

/**
 * Finds runs that received an answer from a call of another run: a batching loader shared by all runs sends one request for several of them, in the
 * run that asked first.
 *
 * Such a run acts again (makes a call, reaches a checkpoint, ends) although nothing of its own was answered since it last acted, but a call of
 * another run was. This is a guess: the run's own I/O looks the same. Names that the run calls itself are therefore left out. The rest become a note
 * (`shared-call`), which `promote` reports if the call turns out to be missing.
 */
export class SharedCalls {
  readonly #run: SharingRun
  readonly #weak: WeakRef<SharingRun>
  readonly #names = new Map<number, string>()
  readonly #answeredBy = new Map<string, SharedAnswer>()
  /** When the run last acted or received an answer of its own. */
  #moment = moments

  constructor(run: SharingRun) {
    this.#run = run
    this.#weak = new WeakRef(run)
  }

  /** Inspects an entry before it is kept. */
  follow(entry: RawEntry): void {
    const step = stepOf(entry)
    if (entry.kind === 'request') this.#calls(entry.step, entry.dialect ?? hostOf(entry.url).host)
    else if (step !== undefined && (isPart(entry) || settles(entry))) this.#isAnswered(step)
    else if (entry.kind === 'row') this.#followRow(entry.row)
  }

  #followRow(row: RawRow): void {
    switch (row.kind) {
      case 'call':
        return this.#calls(row.step, row.name)
      case 'timer':
      case 'signal':
        this.#moment = moments
        return
      case 'checkpoint':
        return this.#acts()
      case 'end':
        this.#acts()
        return this.#end()
      default:
    }
  }

  #calls(step: number, name: string): void {
    this.#names.set(step, name)
    this.#acts()
  }

  #isAnswered(step: number): void {
    moments += 1
    this.#moment = moments
    last = { id: this.#run.id, run: this.#weak, step, name: this.#names.get(step) ?? '', moment: moments }
  }

  #acts(): void {
    if (last !== undefined && last.run !== this.#weak && last.moment > this.#moment && !this.#run.isAmbient(last.name)) {
      this.#answeredBy.set(last.name, last)
    }
    this.#moment = moments
  }

  #end(): void {
    const own = new Set(this.#names.values())
    for (const { name, id, run, step } of this.#answeredBy.values()) {
      // Runs that take turns also continue when another run was answered, and make the call themselves.
      if (own.has(name)) continue
      this.#run.note('shared-call', `${name}: step ${step} of the run ${id} may also have answered this run`)
      const other = run.deref()
      if (other?.closed === false) other.note('shared-call', `${name}: step ${step} may also have answered the run ${this.#run.id}`)
    }
  }
}
