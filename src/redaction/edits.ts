import type { Found } from './rule.ts'

/** A part of a text that another takes the place of. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Of secrets that overlap the one that begins first stays whole, of two that begin together the longer, of two alike the one that was found
 * first: a token behind `Bearer` is what it is by its own shape. Of the other what sticks out is taken, too.
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

/** Edits that do not touch any of others, with those others, in their order. */
export function mergeEdits(first: readonly Edit[], others: readonly Edit[]): readonly Edit[] {
  if (others.length === 0) return first
  if (first.length === 0) return others.toSorted(byStart)
  const touching = createFinder(first.toSorted(byStart))
  const free = others.toSorted(byStart).filter((edit) => touching(edit) === undefined)
  return [...first, ...free].toSorted(byStart)
}

/** Edits with others, which take the place of those that they go beyond. Both are in their order. */
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

/** Edits of a part of a text as edits of the whole. @param offset Where the part stands. */
export function moveEdits(edits: readonly Edit[], offset: number): Edit[] {
  return edits.map(({ start, end, text }) => ({ start: offset + start, end: offset + end, text }))
}

/** A part of a text. */
interface Range {
  readonly start: number
  readonly end: number
}

const byStart = (a: Range, b: Range): number => a.start - b.start

/** Finds the first of parts that another touches. Both come in their order, so that many are found in one go. */
export function createFinder<Part extends Range>(parts: readonly Part[]): (range: Range) => Part | undefined {
  let next = 0
  return ({ start, end }) => {
    for (let part = parts[next]; part !== undefined && part.end <= start; part = parts[next]) next += 1
    const part = parts[next]
    return part !== undefined && part.start < end ? part : undefined
  }
}

/** The text after its edits. */
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
