import type { Found } from './rule.ts'

/** A part of a text and its replacement. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Resolves overlaps between secrets. The one that begins first stays whole; if two begin together, the longer one does; if they are alike, the one
 * that was found first, because a token behind `Bearer` is defined by its own shape. The part of the other that sticks out is replaced as well.
 */
export function choose(found: readonly Found[]): Found[] {
  if (found.length < 2) return [...found]
  const chosen: Found[] = []
  let end = 0
  for (const part of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (part.end <= end) continue
    chosen.push(part.start < end ? { start: end, end: part.end, shape: 'word' } : part)
    end = part.end
  }
  return chosen
}

/** Merges edits, in order, except those of `others` that touch any of `first`. */
export function mergeEdits(first: readonly Edit[], others: readonly Edit[]): readonly Edit[] {
  if (others.length === 0) return first
  if (first.length === 0) return others.toSorted(byStart)
  const touching = createFinder(first.toSorted(byStart))
  const free = others.toSorted(byStart).filter((edit) => touching(edit) === undefined)
  return [...first, ...free].toSorted(byStart)
}

/** Merges edits, in order; `others` replace the edits that they exceed. Both lists are in order. */
export function preferLonger(edits: readonly Edit[], others: readonly Edit[]): readonly Edit[] {
  if (others.length === 0) return edits
  const touching = createFinder(others)
  const kept = edits.filter((edit) => {
    const other = touching(edit)
    const isWithin = other !== undefined && other.start <= edit.start && edit.end <= other.end
    return !isWithin || other.end - other.start === edit.end - edit.start
  })
  return mergeEdits(kept, others)
}

/** Converts edits of a part of a text to edits of the whole. @param offset Where the part starts. */
export function moveEdits(edits: readonly Edit[], offset: number): Edit[] {
  return edits.map(({ start, end, text }) => ({ start: offset + start, end: offset + end, text }))
}

/** A part of a text. */
interface Range {
  readonly start: number
  readonly end: number
}

const byStart = (a: Range, b: Range): number => a.start - b.start

/** Returns a function that finds the first part that a range touches. Both come in order, so that many are found in one pass. */
export function createFinder<Part extends Range>(parts: readonly Part[]): (range: Range) => Part | undefined {
  let next = 0
  return ({ start, end }) => {
    for (let part = parts[next]; part !== undefined && part.end <= start; part = parts[next]) next += 1
    const part = parts[next]
    return part !== undefined && part.start < end ? part : undefined
  }
}

/** Returns the text with its edits applied. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text
  let output = ''
  let at = 0
  for (const edit of edits) {
    output += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return output + text.slice(at)
}
