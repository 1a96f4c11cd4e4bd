import type { Json } from '../json.ts'

/** Values over this many bytes of JSON are stored once and referred to. */
const TEXT_THRESHOLD = 256

/** The values that a trace stores once, as an encoder fills them. */
export interface TextStore {
  /** The value that was printed as `json` where it is small, else a reference to its text row. */
  place(json: string): Json
  /** Whether a value with this JSON is stored. */
  has(json: string): boolean
  /** The reference of a value, which is stored if it was not, however small. */
  refer(json: string): string
  /** The lines of the text rows that came up since the last time. */
  drain(): string[]
  /** Stores every value anew from here on, under references of their own. */
  forget(): void
}

/** An empty store. */
export function createTextStore(): TextStore {
  const references = new Map<string, string>()
  let lines: string[] = []
  let count = 0
  const refer = (json: string): string => {
    const known = references.get(json)
    if (known !== undefined) return known
    const reference = `t${++count}`
    references.set(json, reference)
    lines.push(`{"kind":"text","ref":"${reference}","value":${json}}`)
    return reference
  }
  return {
    place: (json) => (isSmall(json) ? (JSON.parse(json) as Json) : { $: refer(json) }),
    has: (json) => references.has(json),
    refer,
    drain() {
      const drained = lines
      lines = []
      return drained
    },
    forget: () => references.clear(),
  }
}

/** Whether JSON takes no more than the threshold in UTF-8. */
export function isSmall(json: string): boolean {
  if (json.length > TEXT_THRESHOLD) return false
  // A UTF-16 unit takes at most three bytes.
  return json.length * 3 <= TEXT_THRESHOLD || new TextEncoder().encode(json).length <= TEXT_THRESHOLD
}
