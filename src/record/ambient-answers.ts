import type { Ambient, AmbientAnswer } from '../trace/run-row.ts'

/** The latest answers of a process's ambient calls, over all its runs: what a cold test is answered with. */
export class AmbientAnswers {
  readonly names: readonly string[]
  readonly #latest = new Map<string, AmbientAnswer>()

  /** @param names Hosts, and names of tools and externals. */
  constructor(names: readonly string[]) {
    this.names = names
  }

  keep(answer: AmbientAnswer): void {
    const key = JSON.stringify([answer.boundary, answer.name, answer.input])
    this.#latest.delete(key)
    this.#latest.set(key, answer)
  }

  /** The header's share; nothing where no call was declared ambient. */
  inHeader(): { readonly ambient?: Ambient } {
    return this.names.length === 0 ? {} : { ambient: { names: this.names, answers: [...this.#latest.values()] } }
  }
}
