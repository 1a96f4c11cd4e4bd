import { hostOf } from '../http/host-of.ts'
import type { RecordedRun } from '../run/active-run.ts'
import type { NamedCall } from '../trace/named-urls.ts'
import { isPart, settles, stepOf } from './raw/entry-kinds.ts'
import type { RawEntry, RawRequest, RawRow } from './raw/raw-entry.ts'
import type { RowRecorder } from './row-recorder.ts'

/** The part of a run that `SharedCalls` uses. */
type SharingRun = Pick<RecordedRun, 'id' | 'closed' | 'note'> & Pick<RowRecorder, 'ambient'>

/** A call. @property isAmbient Its answer is kept for other runs. */
interface MadeCall {
  readonly name: string
  readonly isAmbient: boolean
}

/** An answer that reached a run. It does not keep the run in memory. */
interface SharedAnswer {
  readonly id: string
  readonly run: WeakRef<SharingRun>
  readonly step: number
  readonly call: MadeCall
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
  readonly #calls = new Map<number, MadeCall>()
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
    if (entry.kind === 'request') this.#makes(entry.step, toNamedCall(entry))
    else if (step !== undefined && (isPart(entry) || settles(entry))) this.#isAnswered(step)
    else if (entry.kind === 'row') this.#followRow(entry.row)
  }

  #followRow(row: RawRow): void {
    switch (row.kind) {
      case 'call':
        return this.#makes(row.step, row)
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

  #makes(step: number, call: NamedCall): void {
    this.#calls.set(step, { name: call.name, isAmbient: this.#run.ambient.mayServe(call) })
    this.#acts()
  }

  #isAnswered(step: number): void {
    moments += 1
    this.#moment = moments
    const call = this.#calls.get(step) ?? { name: '', isAmbient: false }
    last = { id: this.#run.id, run: this.#weak, step, call, moment: moments }
  }

  #acts(): void {
    if (last !== undefined && last.run !== this.#weak && last.moment > this.#moment && !last.call.isAmbient) {
      this.#answeredBy.set(last.call.name, last)
    }
    this.#moment = moments
  }

  #end(): void {
    const own = new Set([...this.#calls.values()].map(({ name }) => name))
    for (const { call, id, run, step } of this.#answeredBy.values()) {
      // Runs that take turns also continue when another run was answered, and make the call themselves.
      const { name } = call
      if (own.has(name)) continue
      this.#run.note('shared-call', `${name}: step ${step} of the run ${id} may also have answered this run`)
      const other = run.deref()
      if (other?.closed === false) other.note('shared-call', `${name}: step ${step} may also have answered the run ${this.#run.id}`)
    }
  }
}

function toNamedCall({ dialect, method, url }: RawRequest): NamedCall {
  const input = { method, url }
  return dialect === undefined ? { boundary: 'http', name: hostOf(url).host, input } : { boundary: 'model', name: dialect, input }
}
