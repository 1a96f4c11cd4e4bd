import { applyEdits, type Edit } from './edits.ts'
import { type EncodedRun, findEncodedRuns } from './encoded-runs.ts'
import { findsNothing, type Rule } from './rule.ts'
import type { StandIns } from './stand-in.ts'

/** Lets a redactor search what base64 contains. It finds nothing by itself: its hint fails at once. */
export const encodedText: Rule = { name: 'encoded-text', hint: findsNothing, readsEncoded: true, find: () => [] }

/** How often base64 is decoded that base64 contains. */
const mostNested = 3

/** Redacts what base64 contains. */
export class EncodedTexts {
  readonly #isRead: boolean
  readonly #editsOf: (decoded: string) => readonly Edit[]
  readonly #editsOfKey: (text: string, start: number, end: number) => readonly Edit[]
  /** How many encodings contain the current text. */
  #depth = 0

  /**
   * @param isRead Whether base64 is decoded.
   * @param editsOf Returns the changes to a decoded text, one character per byte.
   * @param editsOfKey Returns the changes to a private key or key store in the text.
   */
  constructor(
    isRead: boolean,
    editsOf: (decoded: string) => readonly Edit[],
    editsOfKey: (text: string, start: number, end: number) => readonly Edit[],
  ) {
    this.#isRead = isRead
    this.#editsOf = editsOf
    this.#editsOfKey = editsOfKey
  }

  /** Returns the changes to base64 in a text. */
  edits(text: string): readonly Edit[] {
    if (!this.#isRead || this.#depth === mostNested) return none
    const runs = findEncodedRuns(text)
    if (runs.length === 0) return none
    this.#depth += 1
    try {
      return editsInRuns(text, runs, this.#editsOf, this.#editsOfKey)
    } finally {
      this.#depth -= 1
    }
  }
}

const none: readonly Edit[] = []

/**
 * Returns the changes to runs of base64 in a text.
 *
 * @param editsOf Returns the changes to a decoded text, one character per byte.
 * @param editsOfKey Returns the changes to a private key or key store in the text.
 */
export function editsInRuns(
  text: string,
  runs: readonly EncodedRun[],
  editsOf: (decoded: string) => readonly Edit[],
  editsOfKey: (text: string, start: number, end: number) => readonly Edit[] = () => [],
): readonly Edit[] {
  return runs.flatMap((run) => {
    if (run.of === 'key') return editsOfKey(text, run.starts[0] ?? 0, run.ends.at(-1) ?? 0)
    const edits = editsOf(run.decoded)
    return edits.length === 0 ? [] : encodeEdits(text, run, edits)
  })
}

/** Returns a text with the base64 decoded that contains stand-ins. */
export function withReadableStandIns(text: string, standIns: Pick<StandIns, 'find'>): string {
  const found = findEncodedRuns(text)
  if (found.length === 0) return text
  const runs = found.filter(({ of, decoded }) => of === 'text' && standIns.find(decoded).length > 0)
  return applyEdits(
    text,
    runs.map(({ decoded, starts, ends }) => ({ start: starts[0] ?? 0, end: ends.at(-1) ?? 0, text: decoded })),
  )
}

/** Returns the changes to a run's characters: those whose bytes change. */
function encodeEdits(text: string, run: EncodedRun, edits: readonly Edit[]): readonly Edit[] {
  const { decoded, characters, starts, ends } = run
  const changed = applyEdits(decoded, edits)
  const encoded = encodeLike(characters, changed)
  if (changed.length !== decoded.length) {
    const first = Math.floor((edits[0]?.start ?? 0) / 3) * 4
    return [{ start: starts[first] ?? 0, end: ends.at(-1) ?? 0, text: encoded.slice(first) }]
  }
  return edits.map(({ start, end }) => {
    // Characters between those of bytes that stay are the same before and after.
    const [first, last] = [Math.floor((start * 4) / 3), Math.min(characters.length, Math.ceil((end * 4) / 3)) - 1]
    return { start: starts[first] ?? 0, end: ends[last] ?? 0, text: written(text, run, encoded, first, last) }
  })
}

/** Writes changed characters with the escapes and line breaks between them. */
function written(text: string, { characters, starts, ends }: EncodedRun, encoded: string, first: number, last: number): string {
  let output = ''
  for (let index = first; index <= last; index += 1) {
    const [start = 0, end = 0] = [starts[index], ends[index]]
    output += encoded[index] === characters[index] ? text.slice(start, end) : (encoded[index] ?? '')
    if (index < last) output += text.slice(end, starts[index + 1])
  }
  return output
}

/** Encodes bytes in the alphabet of a run. */
function encodeLike(characters: string, bytes: string): string {
  return Buffer.from(bytes, 'latin1')
    .toString(/[-_]/.test(characters) ? 'base64url' : 'base64')
    .replaceAll('=', '')
}
