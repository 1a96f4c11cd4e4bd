import { textChanges, type Span } from '../text-difference.ts'
import { labelled, labelWidth, type Layout } from './layout.ts'

/** Of a text that changed in more places than this the first are shown. */
const shown = 2

/**
 * Two texts that are too long for a line, as pairs of lines around what changed: a prompt of many pages that differs in one word shows that
 * word.
 */
export function textLines(expected: string, received: string, indent: number, { colors, width }: Layout): string[] {
  const changes = textChanges(expected, received)
  const room = width - indent - labelWidth
  const lines = changes
    .slice(0, shown)
    .flatMap((change) => [
      labelled('expected', excerpt(expected, change.expected, room, colors.green), indent),
      labelled('received', excerpt(received, change.received, room, colors.red), indent),
    ])
  const more = changes.length - shown
  if (more > 0) lines.push(labelled('', `and in ${more} more ${more === 1 ? 'place' : 'places'}`, indent))
  return lines
}

/** The changed part of a text with what stands around it: more before than behind, so that two excerpts begin alike. */
function excerpt(text: string, { start, end }: Span, room: number, paint: (text: string) => string): string {
  // Two ellipses or quotes around it.
  const free = room - 2
  const changed = escape(text.slice(start, end))
  const around = Math.max(20, free - changed.length)
  const from = Math.max(0, start - Math.floor(around / 2))
  const before = cutStart(escape(text.slice(from, start)), Math.floor(around / 2))
  const middle = cutEnd(changed, free - before.length)
  const to = middle === changed ? Math.min(text.length, end + around) : end
  const behindAll = escape(text.slice(end, to))
  const behind = behindAll.slice(0, Math.max(0, free - before.length - middle.length))
  const opening = from === 0 && before.length === escape(text.slice(0, start)).length ? '"' : '…'
  const closing = middle === changed && to === text.length && behind === behindAll ? '"' : '…'
  return `${opening}${before}${paint(middle)}${behind}${closing}`
}

/** As in JSON, so that line breaks and control characters are seen and not obeyed. */
function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function cutStart(text: string, max: number): string {
  return text.length <= max ? text : text.slice(text.length - max)
}

function cutEnd(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max)
}
