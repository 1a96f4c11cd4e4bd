import { remember } from '../trace/remember.ts'
import { isNamedCall, type NamedCall } from '../trace/named-urls.ts'
import type { HttpInput, HttpOutput } from '../trace/rows.ts'
import type { Ambient, AmbientAnswer } from '../trace/run-row.ts'
import { isStoreAnswer, mayReadStore } from '../trace/store-reads.ts'
import { toRecorded, toRecordedOutput } from '../trace/values.ts'

/** The most prompts and flags that a header has, if nobody named them. */
const MOST_READS = 10

/** The longest answer of such a store, in characters or bytes: the flags of a whole company are not part of every run. */
const LONGEST_READ = 16_384

/** The latest answers to a process's ambient calls, over all its runs. A cold test is answered from them. */
export class AmbientAnswers {
  readonly names: readonly string[]
  readonly #onKept: (answer: AmbientAnswer, by: object) => void
  readonly #named = new Map<string, AmbientAnswer>()
  readonly #read = new Map<string, AmbientAnswer>()

  /**
   * @param names Hosts, URLs, and names of tools and externals.
   * @param onKept Notified of each answer and of the run that received it: other runs may have waited for the same answer.
   */
  constructor(names: readonly string[], onKept: (answer: AmbientAnswer, by: object) => void) {
    this.names = names
    this.#onKept = onKept
  }

  /** Whether a call was declared ambient. */
  isNamed(call: NamedCall): boolean {
    return this.names.length > 0 && isNamedCall(call, this.names)
  }

  /** Whether the answer to a call may serve later runs, too. What a store says of one user serves only the run that asked. */
  mayServe(call: NamedCall): boolean {
    if (this.isNamed(call)) return true
    const { method, url } = (call.input ?? {}) as Partial<HttpInput>
    return call.boundary === 'http' && method === 'GET' && url !== undefined && mayGetFromStore(url)
  }

  keep(answer: AmbientAnswer, by: object): void {
    const isNamed = this.isNamed(answer)
    if (!isNamed && !(isStoreAnswer(answer.output) && lengthOf(answer.output) <= LONGEST_READ)) return
    const latest = isNamed ? this.#named : this.#read
    const key = JSON.stringify([answer.boundary, answer.name, answer.input])
    latest.delete(key)
    latest.set(key, answer)
    if (this.#read.size > MOST_READS) this.#read.delete(this.#read.keys().next().value ?? '')
    this.#onKept(answer, by)
  }

  /** The ambient field of the header, its values in recorded form; empty when no call was declared ambient and none was kept. */
  inHeader(): { readonly ambient?: Ambient } {
    const answers = [...this.#read.values(), ...this.#named.values()]
    if (this.names.length === 0 && answers.length === 0) return {}
    return { ambient: { names: this.names, answers: answers.map(toRecordedAnswer) } }
  }
}

/** Called for every request of a run. */
const mayGetFromStore = remember((url: string): boolean => mayReadStore('GET', url))

function lengthOf(output: unknown): number {
  const { json, text, bytes } = output as HttpOutput
  return text?.length ?? bytes?.length ?? JSON.stringify(json)?.length ?? 0
}

function toRecordedAnswer({ boundary, name, input, output }: AmbientAnswer): AmbientAnswer {
  return { boundary, name, input: toRecorded(input), output: toRecordedOutput(output) }
}
