import picocolors from 'picocolors'
import { printable } from '../../../trace/printable.ts'
import type { Labels } from '../report.ts'
import type { ReportStyle } from '../reported-run.ts'

/** How the lines of a report are formatted. */
export interface Layout {
  readonly colors: Colors
  /** Characters on a line. */
  readonly width: number
  readonly labels: Labels
}

/** Functions that colour a text, or return it unchanged. */
export type Colors = ReturnType<typeof picocolors.createColors>

/** A narrower report would be unreadable. A narrower terminal wraps the lines. */
const minWidth = 60

/** Creates the layout of a report. */
export function createLayout({ color, width }: ReportStyle, labels: Labels = { expected: 'expected', received: 'received' }): Layout {
  return { colors: picocolors.createColors(color), width: Math.max(minWidth, width), labels }
}

/** A line with a label, aligned with the other labels of its block. Control characters in the text are escaped. */
export function labelled(label: string, text: string, indent: number, color: (text: string) => string = (plain) => plain): string {
  return `${' '.repeat(indent)}${label.padEnd(labelWidth)}${color(printable(text))}`
}

/** A text in lines of this width, broken between words. Lines after the first are indented. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined) lines.push(word)
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`  ${word}`)
  }
  return lines
}

/** The longest labels are `expected` and `received`, followed by two spaces. */
export const labelWidth = 10
