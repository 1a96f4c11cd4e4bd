import { printable } from '../../../trace/printable.ts'
import type { FieldDifference } from '../../divergence.ts'
import { cutText, printField } from '../../print-value.ts'
import { type Layout, labelWidth, labelled } from './layout.ts'
import { type Excerpt, excerptsOf } from '../excerpts.ts'

/** How many fields are shown with their values. Others are shown only by path. */
const shown = 4

const indent = 6

/** The fields that differ, each with its path and its expected and received value. */
export function differenceLines(differences: readonly FieldDifference[], layout: Layout): string[] {
  const lines = differences.slice(0, shown).flatMap((difference) => fieldLines(difference, layout))
  const rest = differences.slice(shown)
  if (rest.length > 0) {
    const paths = rest.map(({ path }) => printable(path)).join(', ')
    lines.push(cutText(`    and ${rest.length} more ${rest.length === 1 ? 'field' : 'fields'}: ${paths}`, layout.width))
  }
  return lines
}

function fieldLines({ path, expected, received, standIns }: FieldDifference, layout: Layout): string[] {
  const { colors, width, labels } = layout
  const room = width - indent - labelWidth
  const heading = path === '' ? [] : [colors.bold(cutText(`    ${printable(path)}`, width))]
  const isLong = (value: unknown): boolean => typeof value === 'string' && JSON.stringify(value).length > room
  if (typeof expected === 'string' && typeof received === 'string' && (isLong(expected) || isLong(received))) {
    return [...heading, ...textLines(expected, received, layout), ...standInLines(standIns)]
  }
  return [
    ...heading,
    labelled(labels.expected, printField(expected, room), indent, colors.green),
    labelled(labels.received, printField(received, room), indent, colors.red),
    ...standInLines(standIns),
  ]
}

/** Two stand-ins may look the same, so the report has to say that the redacted values differ. */
function standInLines(standIns: FieldDifference['standIns'] = []): string[] {
  return standIns.length === 0 ? [] : [labelled('', 'these stand-ins replace two different values', indent)]
}

/** Two texts that are too long for a line, as pairs of lines around the changes. */
function textLines(expected: string, received: string, { colors, width, labels }: Layout): string[] {
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
