import type { Edit } from './edits.ts'

/** Fewer bytes are not a key. */
const shortest = 8

/** Random bytes that a run drew, and their stand-ins, in the forms in which they are written. */
export class DrawnBytes {
  readonly #forms = new Map<string, string>()
  /** Keyed by the bytes, one character per byte. */
  readonly #raw = new Map<string, string>()

  /** Returns stand-in bytes of the same length: `REDACTED` and a number, in ASCII. */
  standInFor(bytes: Uint8Array): Uint8Array {
    if (bytes.length < shortest) return bytes
    const drawn = Buffer.from(bytes)
    const word = 'REDACTED'.slice(0, bytes.length - 4)
    const raw = drawn.toString('latin1')
    const known = this.#raw.get(raw)
    if (known !== undefined) return new Uint8Array(Buffer.from(known, 'latin1'))
    const number = this.#raw.size + 1
    const standIn = Buffer.from(`${word}${String(number).padStart(bytes.length - word.length, '0')}`.slice(0, bytes.length), 'latin1')
    this.#raw.set(raw, standIn.toString('latin1'))
    for (const form of forms) this.#forms.set(form(drawn), form(standIn))
    return new Uint8Array(standIn)
  }

  /** Finds where drawn bytes are written in a text. */
  edits(text: string): readonly Edit[] {
    return editsOf(text, this.#forms)
  }

  /** Finds drawn bytes in bytes, which are given as characters (latin1). */
  rawEdits(bytes: string): readonly Edit[] {
    return editsOf(bytes, this.#raw)
  }
}

function editsOf(text: string, forms: ReadonlyMap<string, string>): readonly Edit[] {
  if (forms.size === 0) return none
  const edits: Edit[] = []
  for (const [form, standIn] of forms) {
    for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + form.length)) {
      edits.push({ start, end: start + form.length, text: standIn })
    }
  }
  return edits.toSorted((a, b) => a.start - b.start)
}

const none: readonly Edit[] = []

const forms: readonly ((bytes: Buffer) => string)[] = [
  (bytes) => bytes.toString('hex'),
  (bytes) => bytes.toString('hex').toUpperCase(),
  // Padding stays in place.
  (bytes) => bytes.toString('base64').replaceAll('=', ''),
  (bytes) => bytes.toString('base64url'),
  (bytes) => encodeURIComponent(bytes.toString('base64').replaceAll('=', '')),
]
