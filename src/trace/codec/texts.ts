import type { Json } from '../json.ts'

/** Values of more than this many bytes of JSON are stored once and referred to. */
const TEXT_THRESHOLD = 256

/** The values that a trace stores once, as collected by an encoder. */
export class TextStore {
  readonly #references = new Map<string, string>()
  #lines: string[] = []
  #count = 0

  /** Returns the value that was printed as `json` if it is small, else a reference to its text row. */
  place(json: string): Json {
    return isSmall(json) ? (JSON.parse(json) as Json) : { $: this.refer(json) }
  }

  /** Returns whether a value with this JSON is stored. */
  has(json: string): boolean {
    return this.#references.has(json)
  }

  /** Returns the reference of a value, and stores the value if it is new, even if it is small. */
  refer(json: string): string {
    const known = this.#references.get(json)
    if (known !== undefined) return known
    const reference = `t${++this.#count}`
    this.#references.set(json, reference)
    this.#lines.push(`{"kind":"text","ref":"${reference}","value":${json}}`)
    return reference
  }

  /** Returns the lines of the text rows that are new since the last call. */
  drain(): string[] {
    const drained = this.#lines
    this.#lines = []
    return drained
  }

  /** Stores every value anew from now on, under new references. */
  forget(): void {
    this.#references.clear()
  }
}

/** Returns whether JSON takes no more than the threshold in UTF-8. */
export function isSmall(json: string): boolean {
  if (json.length > TEXT_THRESHOLD) return false
  // A UTF-16 unit takes at most three bytes.
  return json.length * 3 <= TEXT_THRESHOLD || new TextEncoder().encode(json).length <= TEXT_THRESHOLD
}
