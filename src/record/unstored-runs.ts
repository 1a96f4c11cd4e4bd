import { say } from '../run/tell.ts'

/** The failure of a recording. */
export interface StoreFailure {
  readonly error: unknown
}

/** Called once it is known whether the store has a recording. */
type OnKnown = (failure?: StoreFailure) => void

interface Unstored {
  readonly onKnown: OnKnown
  /** Only a flush of the store tells whether it has the recording. */
  readonly isByFlush: boolean
}

/** After how many closed runs a store that tells only by a flush is flushed. */
const FLUSH_AFTER = 1000

/** The most runs that may wait for the store's answer. The oldest beyond that count as failed, so that a store that never answers fills no memory. */
const MOST = 10_000

/** The runs of every recorder that are not stored, for the exit of the process. */
const unstored = new Set<UnstoredRuns>()

/** Runs that have ended and that the store is not known to have. */
export class UnstoredRuns {
  readonly #runs = new Map<string, Unstored>()
  readonly #onMany: () => void

  /** @param onMany Called when many runs wait for a flush of the store. */
  constructor(onMany: () => void) {
    this.#onMany = onMany
  }

  get count(): number {
    return this.#runs.size
  }

  /**
   * @param stored See `Closed`.
   * @param onKnown Called once.
   */
  add(id: string, stored: Promise<void> | 'by flush', onKnown: OnKnown): void {
    this.#runs.set(id, { onKnown, isByFlush: stored === 'by flush' })
    this.#listen()
    if (stored !== 'by flush')
      stored.then(
        () => this.settle(id),
        (error: unknown) => this.settle(id, { error }),
      )
    else if (this.#runs.size % FLUSH_AFTER === 0) this.#onMany()
    const [oldest = ''] = this.#runs.keys()
    if (this.#runs.size > MOST) this.settle(oldest, { error: new Error(`the store did not answer for ${MOST} runs`) })
  }

  /** Returns whether the run was waiting. @param failure Default: it is stored. */
  settle(id: string, failure?: StoreFailure): boolean {
    const run = this.#runs.get(id)
    if (run === undefined) return false
    this.#runs.delete(id)
    if (this.#runs.size === 0) this.#leave()
    run.onKnown(failure)
    return true
  }

  /** Fails every run that waits. */
  failAll(failure: StoreFailure): void {
    for (const id of this.#runs.keys()) this.settle(id, failure)
  }

  /** Starts a flush. @returns A function for its end, which settles the runs that only a flush tells of and that had ended before. */
  beginFlush(): (failure?: StoreFailure) => void {
    const ids = [...this.#runs].flatMap(([id, { isByFlush }]) => (isByFlush ? [id] : []))
    return (failure) => {
      for (const id of ids) this.settle(id, failure)
    }
  }

  #listen(): void {
    if (unstored.size === 0) process.on('exit', sayAtExit)
    unstored.add(this)
  }

  #leave(): void {
    unstored.delete(this)
    if (unstored.size === 0) process.off('exit', sayAtExit)
  }
}

function sayAtExit(): void {
  let count = 0
  for (const runs of unstored) count += runs.count
  sayNotStored(count)
}

/** Says that the process exits too early. @note Written directly: Node shows a warning in a later turn, which an exiting process does not have. */
export function sayNotStored(count: number): void {
  say(
    `goldenrun: the process exits before ${count === 1 ? '1 run is' : `${count} runs are`} stored. ` +
      'Await recorder.close() before process.exit().',
  )
}
