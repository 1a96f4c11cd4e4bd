import { printable, printableStyled } from '../../trace/printable.ts'
import { cutText } from '../print-value.ts'
import { describeDivergence } from './cause-words.ts'
import type { Advice, Fact, NearestCall, Report } from './report.ts'
import type { ReportStyle } from './reported-run.ts'
import { differenceLines } from './terminal/difference-lines.ts'
import { createLayout, labelled, labelWidth, type Layout, wrapped } from './terminal/layout.ts'
import { stepLines } from './terminal/step-lines.ts'

/** How many later divergences are listed. */
const named = 3

const indent = 4

/** A report for a terminal: one screenful. Lines are cut to its width, except for the headline and lines to copy; notes are wrapped. */
export function toTerminal(report: Report, style: ReportStyle): string {
  const layout = createLayout(style, report.labels)
  const { description, expectedOutcome } = report.subject
  const sentences = [description, expectedOutcome && `Expected outcome: ${expectedOutcome}`]
  const about = sentences.flatMap((line) => (line ? [cutText(`  ${printable(line.replaceAll(/\s+/g, ' '))}`, layout.width)] : []))
  const facts = report.facts.flatMap((fact) => factLines(fact, layout))
  const blocks = [
    [layout.colors.bold(printable(report.headline)), ...about],
    stepLines(report.steps, layout),
    [printable(report.explanation), ...facts, ...moreLines(report, layout)],
    report.notes.flatMap((note) => wrapped(printable(note), layout.width)),
    report.advice.flatMap((advice) => adviceLines(advice, layout)),
  ]
  return blocks
    .map((lines) => lines.filter((line, index) => line !== '' || index > 0).join('\n'))
    .filter((block) => block !== '')
    .join('\n\n')
}

function factLines(fact: Fact, layout: Layout): string[] {
  const { colors, width, labels } = layout
  const room = width - indent - labelWidth
  switch (fact.kind) {
    case 'lines':
      return [
        ...(fact.expected === undefined ? [] : [labelled(labels.expected, cutText(fact.expected, room), indent, colors.green)]),
        labelled(labels.received, cutText(fact.received, room), indent, colors.red),
      ]
    case 'fields':
      return differenceLines(fact.differences, layout)
    case 'nearest':
      return fact.calls.map((call, index) => nearLine(call, index === 0, layout))
    case 'site':
      return [labelled('at', `${fact.site.file}:${fact.site.line}:${fact.site.column}`, indent)]
    case 'message':
      return printableStyled(fact.text)
        .split('\n')
        .map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`))
  }
}

function nearLine({ step, call, remark }: NearestCall, isFirst: boolean, { width }: Layout): string {
  const suffix = ` (${cutText(remark, Math.floor(width / 2))})`
  const text = `step ${step}, ${cutText(call, width - indent - labelWidth - suffix.length - `step ${step}, `.length)}${suffix}`
  return labelled(isFirst ? 'nearest' : '', text, indent)
}

function moreLines({ consequences }: Report, { width }: Layout): string[] {
  if (consequences.length === 0) return []
  const names = consequences.slice(0, named).map(describeDivergence)
  return [cutText(printable(`and ${consequences.length} more: ${names.join(', ')}${consequences.length > named ? ', …' : ''}`), width)]
}

/** Keeps a command whole, so that it can be copied. Puts it on its own line if words and command do not fit on one. */
function adviceLines({ words: said, command: toCopy }: Advice, { width }: Layout): string[] {
  const words = printable(said)
  if (toCopy === undefined) return [words]
  const command = printable(toCopy)
  const line = `${words} ${command}`
  return line.length <= width ? [line] : [words, `  ${command}`]
}
