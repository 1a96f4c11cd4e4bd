import { type Excerpt, excerptsOf } from '../excerpts.ts'
import { labelled, labelWidth, type Layout } from './layout.ts'

/** Two texts that are too long for a line, as pairs of lines around what changed. */
export function textLines(expected: string, received: string, indent: number, { colors, width, labels }: Layout): string[] {
  const { pairs, more } = excerptsOf(expected, received, width - indent - labelWidth)
  const lines = pairs.flatMap((pair) => [
    `${labelled(labels.expected, '', indent)}${paint(pair.expected, colors.green)}`,
    `${labelled(labels.received, '', indent)}${paint(pair.received, colors.red)}`,
  ])
  if (more > 0) lines.push(labelled('', `and in ${more} more ${more === 1 ? 'place' : 'places'}`, indent))
  return lines
}

function paint({ before, changed, after }: Excerpt, color: (text: string) => string): string {
  return `${before}${color(changed)}${after}`
}
