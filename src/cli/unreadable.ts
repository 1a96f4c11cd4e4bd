import { whyUnreadable } from '../replay/traces/list-traces.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import type { Terminal } from './terminal.ts'

/** A recording or golden that a command left out. */
export interface Unreadable {
  /** A recording's id or a golden's name. */
  readonly trace: string
  readonly code: string
  readonly message: string
}

/** The recordings of a store that a command could not read. */
export class UnreadableRuns {
  readonly #store: Pick<TraceStore, 'read'>
  readonly #ids = new Set<string>()

  constructor(store: Pick<TraceStore, 'read'>) {
    this.#store = store
  }

  /** Adds recordings. */
  readonly add = (ids: readonly string[]): void => {
    for (const id of ids) this.#ids.add(id)
  }

  /** Returns them with the reasons. One that can be read by now is left out. */
  async list(): Promise<Unreadable[]> {
    const unreadable: Unreadable[] = []
    for (const trace of this.#ids) {
      const error = await whyUnreadable(trace, this.#store)
      if (error !== undefined) unreadable.push({ trace, code: error.code, message: error.message })
    }
    return unreadable
  }
}

/** Prints why traces were left out. */
export function tellUnreadable(unreadable: readonly Unreadable[], terminal: Terminal): void {
  for (const { message } of unreadable) terminal.printError(message)
}
