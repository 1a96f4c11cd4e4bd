/** The maximum number of characters remembered: a run's memory is bounded. */
const maxLength = 200_000

/** Texts in which no secret was found: field names and resent messages occur over and over. */
export class CleanTexts {
  readonly #texts = new Set<string>()
  #length = 0

  has(text: string): boolean {
    return this.#texts.has(text)
  }

  add(text: string): void {
    this.#length += text.length
    if (this.#length > maxLength) this.clear()
    else this.#texts.add(text)
  }

  /** Called when the set of known secrets has changed. */
  clear(): void {
    this.#texts.clear()
    this.#length = 0
  }
}
