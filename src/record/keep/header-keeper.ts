import type { Redactor } from '../../redaction/redactor-types.ts'
import { redactHeaders } from '../../redaction/header-values.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import type { Variables } from '../../node/variables.ts'
import { keepAskedHeaders, type KeptHeaders } from './kept-credentials.ts'

/** The most headers that are remembered of a run. */
const most = 256

/** Redacts the headers of a run's exchanges. A client sends the same with each call: they are looked through again once more secrets are known. */
export class HeaderKeeper {
  readonly #redactor: Redactor
  readonly #variables: () => Variables
  readonly #asked = new Map<string, KeptHeaders>()
  readonly #pairs = new Map<string, HeaderPairs[number]>()
  #secrets = 0
  /** By which the kept headers were looked through. */
  #known: Variables | undefined

  /** @param variables Returns the environment. */
  constructor(redactor: Redactor, variables: () => Variables) {
    this.#redactor = redactor
    this.#variables = variables
  }

  /** Returns the headers of a request, and the credentials among them. */
  asked(headers: HeaderPairs): KeptHeaders {
    const variables = this.#variables()
    if (variables !== this.#known) this.#asked.clear()
    this.#known = variables
    return this.#remember(this.#asked, JSON.stringify(headers), () => keepAskedHeaders(headers, this.#redactor, variables))
  }

  /** Returns the headers or trailers of an answer. */
  answered(headers: HeaderPairs): HeaderPairs {
    return headers.map((pair) =>
      this.#remember(this.#pairs, `${pair[0]}:${pair[1]}`, () => redactHeaders(this.#redactor, [pair])[0] ?? pair),
    )
  }

  #remember<Kept>(kept: Map<string, Kept>, key: string, make: () => Kept): Kept {
    if (this.#redactor.secrets !== this.#secrets) this.#forget()
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = make()
    // What is found may tell of more secrets.
    if (this.#redactor.secrets !== this.#secrets) return made
    if (kept.size >= most) kept.clear()
    kept.set(key, made)
    return made
  }

  #forget(): void {
    this.#asked.clear()
    this.#pairs.clear()
    this.#secrets = this.#redactor.secrets
  }
}
