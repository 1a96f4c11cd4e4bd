import type { Json } from '../json.ts'

/** Values over this many bytes of JSON are stored once and referred to. */
const TEXT_THRESHOLD = 256

/** The values that a trace stores once, as an encoder fills them. */
export class TextStore {
  readonly #references = new Map<string, string>()
  #lines: string[] = []
  #count = 0

  /** The value that was printed as `json` where it is small, else a reference to its text row. */
  place(json: string): Json {
    return isSmall(json) ? (JSON.parse(json) as Json) : { $: this.refer(json) }
  }

  /** Whether a value with this JSON is stored. */
  has(json: string): boolean {
    return this.#references.has(json)
  }

  /** The reference of a value, which is stored if it was not, however small. */
  refer(json: string): string {
    const known = this.#references.get(json)
    if (known !== undefined) return known
    const reference = `t${++this.#count}`
    this.#references.set(json, reference)
    this.#lines.push(`{"kind":"text","ref":"${reference}","value":${json}}`)
    return reference
  }

  /** The lines of the text rows that came up since the last time. */
  drain(): string[] {
    const drained = this.#lines
    this.#lines = []
    return drained
  }

  /** Stores every value anew from here on, under references of their own. */
  forget(): void {
    this.#references.clear()
  }
}

/** Whether JSON takes no more than the threshold in UTF-8. */
export function isSmall(json: string): boolean {
  if (json.length > TEXT_THRESHOLD) return false
  // A UTF-16 unit takes at most three bytes.
  return json.length * 3 <= TEXT_THRESHOLD || new TextEncoder().encode(json).length <= TEXT_THRESHOLD
}
