import { printable } from '../../trace/printable.ts'
import { textChanges, type Span } from '../text-difference.ts'

/** How many changed places of a text are shown. */
const shown = 2

/** The number of quotes or ellipses around an excerpt. */
const marks = 2

/** At least this many characters are shown before a change, however long the change is. */
const minBefore = 10

/** A changed part of a text with its surroundings, escaped as in JSON, so that line breaks and control characters are visible. */
export interface Excerpt {
  /** Starts with a quote at the beginning of the text, otherwise with an ellipsis. */
  readonly before: string
  readonly changed: string
  /** Ends with a quote at the end of the text, otherwise with an ellipsis. */
  readonly after: string
}

/** The first places where two texts differ. */
export interface Excerpts {
  readonly pairs: readonly { readonly expected: Excerpt; readonly received: Excerpt }[]
  /** How many places are not shown. */
  readonly more: number
}

/**
 * Where two long texts differ. If a prompt of many pages differs in one word, the excerpt shows that word.
 *
 * @param room The maximum number of characters in an excerpt.
 */
export function excerptsOf(expected: string, received: string, room: number): Excerpts {
  const changes = textChanges(expected, received)
  const pairs = changes.slice(0, shown).map((change) => {
    const lengths = [lengthOf(expected, change.expected), lengthOf(received, change.received)]
    const frame = { room: room - marks, before: Math.max(minBefore, Math.floor((room - marks - Math.max(...lengths)) / 2)) }
    return { expected: excerpt(expected, change.expected, frame), received: excerpt(received, change.received, frame) }
  })
  return { pairs, more: changes.length - pairs.length }
}

/** How much of a text is shown. Both sides show the same amount before the change, so that the changes line up. */
interface Frame {
  readonly room: number
  readonly before: number
}

function excerpt(text: string, { start, end }: Span, { room, before: most }: Frame): Excerpt {
  const changed = escape(text.slice(start, end))
  const beforeAll = escape(text.slice(Math.max(0, start - most), start))
  const before = beforeAll.slice(Math.max(0, beforeAll.length - most))
  const middle = changed.slice(0, room - before.length)
  const left = room - before.length - middle.length
  const behindAll = escape(text.slice(end, end + left + 1))
  const behind = behindAll.slice(0, left)
  const opening = start <= most && before === beforeAll ? '"' : '…'
  const closing = middle === changed && behind === behindAll && end + left >= text.length ? '"' : '…'
  return { before: `${opening}${before}`, changed: middle, after: `${behind}${closing}` }
}

function lengthOf(text: string, { start, end }: Span): number {
  return escape(text.slice(start, end)).length
}

function escape(text: string): string {
  return printable(JSON.stringify(text).slice(1, -1))
}
