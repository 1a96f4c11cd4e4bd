/** So many characters are remembered at the most: a run's memory is bounded. */
const maxLength = 200_000

/** Texts in which nothing was found: names of fields and resent messages come up over and over. */
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

  /** What is secret has changed. */
  clear(): void {
    this.#texts.clear()
    this.#length = 0
  }
}
