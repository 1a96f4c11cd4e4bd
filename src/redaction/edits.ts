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
  const free = others.filter((edit) => !first.some(({ start, end }) => edit.start < end && start < edit.end))
  return [...first, ...free].toSorted((a, b) => a.start - b.start)
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
