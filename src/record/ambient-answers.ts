import type { Ambient, AmbientAnswer } from '../trace/run-row.ts'
import { toRecorded, toRecordedOutput } from '../trace/values.ts'

/** The latest answers of a process's ambient calls, over all its runs: what a cold test is answered with. */
export class AmbientAnswers {
  readonly names: readonly string[]
  readonly #onKept: (answer: AmbientAnswer, by: object) => void
  readonly #latest = new Map<string, AmbientAnswer>()

  /**
   * @param names Hosts, and names of tools and externals.
   * @param onKept Told of an answer, and of the run that it was given to: others may have waited for it too.
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

  /** The header's share, its values in recorded form; nothing where no call was declared ambient. */
  inHeader(): { readonly ambient?: Ambient } {
    return this.names.length === 0 ? {} : { ambient: { names: this.names, answers: [...this.#latest.values()].map(toRecordedAnswer) } }
  }
}

function toRecordedAnswer({ boundary, name, input, output }: AmbientAnswer): AmbientAnswer {
  return { boundary, name, input: toRecorded(input), output: toRecordedOutput(output) }
}
