import type { Ambient, AmbientAnswer } from '../trace/run-row.ts'
import { toRecorded, toRecordedOutput } from '../trace/values.ts'

/** The latest answers to a process's ambient calls, over all its runs. A cold test is answered from them. */
export class AmbientAnswers {
  readonly names: readonly string[]
  readonly #onKept: (answer: AmbientAnswer, by: object) => void
  readonly #latest = new Map<string, AmbientAnswer>()

  /**
   * @param names Hosts, and names of tools and externals.
   * @param onKept Notified of each answer and of the run that received it: other runs may have waited for the same answer.
   */
  constructor(names: readonly string[], onKept: (answer: AmbientAnswer, by: object) => void) {
    this.names = names
    this.#onKept = onKept
  }

  keep(answer: AmbientAnswer, by: object): void {
    const key = JSON.stringify([answer.boundary, answer.name, answer.input])
    this.#latest.delete(key)
    this.#latest.set(key, answer)
    this.#onKept(answer, by)
  }

  /** The ambient field of the header, its values in recorded form; empty when no call was declared ambient. */
  inHeader(): { readonly ambient?: Ambient } {
    return this.names.length === 0 ? {} : { ambient: { names: this.names, answers: [...this.#latest.values()].map(toRecordedAnswer) } }
  }
}

function toRecordedAnswer({ boundary, name, input, output }: AmbientAnswer): AmbientAnswer {
  return { boundary, name, input: toRecorded(input), output: toRecordedOutput(output) }
}
