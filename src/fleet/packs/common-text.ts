import { knownOrMade } from '../../trace/remember.ts'

/** The number of runs that must contain a text before a dictionary may hold it. */
export const LEAST_RUNS = 50

/** How many recordings are compared: more add little, and take longer. */
export const MOST_RUNS = 100

/** The shortest text that is worth a place in a dictionary, in bytes. */
const SHORTEST = 16

/** The largest dictionary, in bytes. */
const MOST_BYTES = 112_640

/** How many recordings are searched for texts: a text in none of them is left out. */
const MODELS = 6

/** Separates texts, so that two adjacent ones do not read as one text of a run. It occurs in no JSON line. */
export const SEPARATOR = '\0'

/**
 * Finds the texts that many recordings share: system prompts, schemas of tools, the frame of rows. Each text as a whole occurs in at least fifty
 * recordings, so that a dictionary reveals nothing about the people in a single one. The longest texts are at the end, as zstd expects.
 *
 * @param recordings JSON lines.
 * @returns Undefined if there are too few recordings, or they share too little.
 */
export function findCommonText(recordings: readonly string[]): Uint8Array | undefined {
  if (recordings.length < LEAST_RUNS) return undefined
  // One byte per character makes the search several times as fast.
  const compared = recordings.slice(0, MOST_RUNS).map((text) => Buffer.from(text).toString('latin1'))
  const pieces = compared.map(splitText)
  const common = commonPieces(pieces)
  const isCommon = counter(compared)
  const texts = new Set<string>()
  for (const model of spread(pieces, MODELS)) for (const stretch of stretchesOf(model, common)) addCommon(stretch, isCommon, texts)
  const bytes = Buffer.from(withoutContained(texts), 'latin1').subarray(-MOST_BYTES)
  return bytes.length < SHORTEST * 4 ? undefined : Buffer.from(bytes)
}

/** Splits a text after each delimiter of JSON, and after sentences. */
function splitText(text: string): string[] {
  return text.match(/[^,:{}[\]\n.]*[,:{}[\]\n.]?/g) ?? []
}

/** Returns the pieces that occur in enough recordings. */
function commonPieces(recordings: readonly (readonly string[])[]): ReadonlySet<string> {
  const seen = new Map<string, number>()
  for (const pieces of recordings) for (const piece of new Set(pieces)) seen.set(piece, (seen.get(piece) ?? 0) + 1)
  return new Set([...seen].flatMap(([piece, count]) => (count >= LEAST_RUNS ? [piece] : [])))
}

/** Returns the stretches of consecutive common pieces. */
function stretchesOf(pieces: readonly string[], common: ReadonlySet<string>): string[][] {
  const stretches: string[][] = [[]]
  for (const piece of pieces) {
    if (common.has(piece)) stretches.at(-1)?.push(piece)
    else if (stretches.at(-1)?.length !== 0) stretches.push([])
  }
  return stretches
}

/** Adds the text of consecutive pieces if it is common as a whole; otherwise tries each half. */
function addCommon(pieces: readonly string[], isCommon: (text: string) => boolean, texts: Set<string>): void {
  const text = pieces.join('')
  if (text.length < SHORTEST || texts.has(text)) return
  if (isCommon(text)) return void texts.add(text)
  if (pieces.length < 2) return
  const half = pieces.length >>> 1
  addCommon(pieces.slice(0, half), isCommon, texts)
  addCommon(pieces.slice(half), isCommon, texts)
}

/** Creates a test for whether a text occurs in enough recordings. */
function counter(recordings: readonly string[]): (text: string) => boolean {
  const known = new Map<string, boolean>()
  const count = (text: string): boolean => {
    let [seen, left] = [0, recordings.length]
    for (const recording of recordings) {
      left -= 1
      if (recording.includes(text)) seen += 1
      if (seen >= LEAST_RUNS) return true
      if (seen + left < LEAST_RUNS) return false
    }
    return false
  }
  return (text) => knownOrMade(known, text, () => count(text))
}

function withoutContained(texts: ReadonlySet<string>): string {
  let kept = ''
  for (const text of [...texts].toSorted((one, other) => other.length - one.length || (one < other ? -1 : 1)))
    if (!kept.includes(text)) kept = kept === '' ? text : `${text}${SEPARATOR}${kept}`
  return kept
}

function spread<Item>(items: readonly Item[], count: number): Item[] {
  return items.filter((_, index) => index % Math.ceil(items.length / count) === 0)
}
