/** A call as the world saw it: goldenrun has no part in it. */
export interface LoggedCall {
  /** Who was called. */
  readonly name: string
  /** What it was called with: equal for what is the same to whoever is called. */
  readonly input: unknown
  /** How many recorded steps it is: two for a tool that makes one request. */
  readonly steps: number
  /** The calls (indices into the log) that had been answered when this one came. */
  readonly after: ReadonlySet<number>
}

/** A checkpoint that the agent told the world of. */
export interface LoggedCheckpoint {
  readonly name: string
  readonly state: unknown
  /** How many calls had been made by then. */
  readonly calls: number
}

/** How an agent's run ended. */
export type LoggedEnd = { readonly output: unknown } | { readonly error: string }

/** What an agent sent, called, wrote and returned, and in what order it waited, written down by the world around it. */
export class RunLog {
  readonly calls: LoggedCall[] = []
  readonly checkpoints: LoggedCheckpoint[] = []
  end: LoggedEnd | undefined
  readonly #answered = new Set<number>()
  readonly #ids = new Map<string, string>()

  /** @returns What has to be called when the answer goes out. */
  call(name: string, input: unknown, steps = 1): () => void {
    const index = this.calls.length
    this.calls.push({ name, input: this.#settle(input), steps, after: new Set(this.#answered) })
    return () => this.#answered.add(index)
  }

  reach(name: string, state: unknown): void {
    this.checkpoints.push({ name, state: this.#settle(state), calls: this.calls.length })
  }

  finish(end: LoggedEnd): void {
    this.end = this.#settle(end) as LoggedEnd
  }

  /** A copy in which what no two runs have in common is named by when it first came up: ids that were drawn, and the day. */
  #settle(value: unknown): unknown {
    const text = JSON.stringify(value ?? null)
    const named = text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      const known = this.#ids.get(id) ?? `id-${this.#ids.size + 1}`
      this.#ids.set(id, known)
      return known
    })
    return JSON.parse(named.replaceAll(/Today is \d{4}-\d\d-\d\d/g, 'Today is that day')) as unknown
  }
}
