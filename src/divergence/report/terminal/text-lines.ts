import { textChanges, type Span } from '../../text-difference.ts'
import { labelled, labelWidth, type Layout } from './layout.ts'

/** Of a text that changed in more places than this the first are shown. */
const shown = 2

/** Two quotes or ellipses stand around an excerpt. */
const marks = 2

/** However long a change is, this much is shown of what stands before it. */
const minBefore = 10

/**
 * Two texts that are too long for a line, as pairs of lines around what changed: a prompt of many pages that differs in one word shows that
 * word.
 */
export function textLines(expected: string, received: string, indent: number, { colors, width }: Layout): string[] {
  const changes = textChanges(expected, received)
  const room = width - indent - labelWidth
  const lines = changes.slice(0, shown).flatMap((change) => {
    const lengths = [lengthOf(expected, change.expected), lengthOf(received, change.received)]
    const frame = { room: room - marks, before: Math.max(minBefore, Math.floor((room - marks - Math.max(...lengths)) / 2)) }
    return [
      labelled('expected', excerpt(expected, change.expected, frame, colors.green), indent),
      labelled('received', excerpt(received, change.received, frame, colors.red), indent),
    ]
  })
  const more = changes.length - shown
  if (more > 0) lines.push(labelled('', `and in ${more} more ${more === 1 ? 'place' : 'places'}`, indent))
  return lines
}

/** How much of a text is shown; as much before both sides of a change, so that they stand under one another. */
interface Frame {
  readonly room: number
  readonly before: number
}

/** The changed part of a text with what stands around it. */
function excerpt(text: string, { start, end }: Span, { room, before: most }: Frame, paint: (text: string) => string): string {
  const changed = escape(text.slice(start, end))
  const beforeAll = escape(text.slice(Math.max(0, start - most), start))
  const before = beforeAll.slice(Math.max(0, beforeAll.length - most))
  const middle = changed.slice(0, room - before.length)
  const left = room - before.length - middle.length
  const behindAll = escape(text.slice(end, end + left + 1))
  const behind = behindAll.slice(0, left)
  const opening = start <= most && before === beforeAll ? '"' : '…'
  const closing = middle === changed && behind === behindAll && end + left >= text.length ? '"' : '…'
  return `${opening}${before}${paint(middle)}${behind}${closing}`
}

function lengthOf(text: string, { start, end }: Span): number {
  return escape(text.slice(start, end)).length
}

/** As in JSON, so that line breaks and control characters are seen and not obeyed. */
function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
