import type { FieldDifference } from '../divergence.ts'
import { printable } from '../../trace/printable.ts'
import { cutText, printValue } from '../print-value.ts'
import { describeDivergence } from './cause-words.ts'
import { type Excerpt, excerptsOf } from './excerpts.ts'
import { codeBlock, details, escapeMarkdown, inlineCode } from './markdown/syntax.ts'
import type { Advice, Fact, Report } from './report.ts'
import { createLayout } from './terminal/layout.ts'
import { stepLines } from './terminal/step-lines.ts'

/** How many fields are shown with their difference. Others are shown only by path. */
const shownFields = 6

/** Roughly how many characters of a line in a code block are visible without scrolling. */
const lineWidth = 110

/** A report as Markdown, for a comment on a pull request. The difference is expanded; the steps before it and the consequences are collapsed. */
export function toMarkdown({ subject, headline, steps, explanation, facts, consequences, notes, advice }: Report): string {
  const { description, expectedOutcome } = subject
  const about = [
    ...(description === undefined ? [] : [`> ${escapeMarkdown(description)}`]),
    ...(expectedOutcome === undefined ? [] : [`> Expected outcome: ${escapeMarkdown(expectedOutcome)}`]),
  ]
  const shownSteps = stepLines(steps, createLayout({ color: false, width: lineWidth }))
  const follows = consequences.map((divergence) => `- ${escapeMarkdown(describeDivergence(divergence))}`)
  return [
    `### ${escapeMarkdown(headline)}`,
    about.join('  \n'),
    [escapeMarkdown(explanation), ...siteOf(facts)].join(' '),
    ...facts.flatMap(factBlocks),
    shownSteps.length === 0 ? '' : details('The steps up to this point', codeBlock(shownSteps.join('\n'), 'text')),
    follows.length === 0 ? '' : details(`What follows from this (${follows.length})`, follows.join('\n')),
    notes.map((note) => `- ${escapeMarkdown(note)}`).join('\n'),
    ...advice.map(adviceBlock),
  ]
    .filter((block) => block !== '')
    .join('\n\n')
}

function siteOf(facts: readonly Fact[]): string[] {
  return facts.flatMap((fact) =>
    fact.kind === 'site' ? [`The call is made at ${inlineCode(`${fact.site.file}:${fact.site.line}:${fact.site.column}`)}.`] : [],
  )
}

function factBlocks(fact: Fact): string[] {
  switch (fact.kind) {
    case 'lines':
      return [diffBlock(fact.expected === undefined ? [] : [printLine(fact.expected)], [printLine(fact.received)])]
    case 'fields':
      return fieldBlocks(fact.differences)
    case 'nearest':
      return [
        [
          'The nearest recorded calls:',
          ...fact.calls.map(({ step, call, remark }) => `- step ${step}, ${inlineCode(printLine(call))} (${escapeMarkdown(remark)})`),
        ].join('\n'),
      ]
    case 'message':
      return [codeBlock(fact.text, 'text')]
    case 'site':
      return []
  }
}

function fieldBlocks(differences: readonly FieldDifference[]): string[] {
  const shown = differences
    .slice(0, shownFields)
    .flatMap((difference) => [...(difference.path === '' ? [] : [inlineCode(difference.path)]), fieldDiff(difference)])
  const rest = differences.slice(shownFields)
  if (rest.length === 0) return shown
  return [
    ...shown,
    details(`${rest.length} more ${rest.length === 1 ? 'field' : 'fields'}`, rest.map(({ path }) => `- ${inlineCode(path)}`).join('\n')),
  ]
}

function fieldDiff({ expected, received }: FieldDifference): string {
  const isLong = (value: unknown): boolean => typeof value === 'string' && value.length > lineWidth
  if (typeof expected === 'string' && typeof received === 'string' && (isLong(expected) || isLong(received))) {
    const { pairs, more } = excerptsOf(expected, received, lineWidth)
    const blocks = pairs.map((pair) => diffBlock([printExcerpt(pair.expected)], [printExcerpt(pair.received)]))
    return [...blocks, ...(more > 0 ? [`and in ${more} more ${more === 1 ? 'place' : 'places'}`] : [])].join('\n\n')
  }
  const lines = (value: unknown): string[] => (value === undefined ? [] : [printValue(value, lineWidth)])
  return diffBlock(lines(expected), lines(received))
}

function printExcerpt({ before, changed, after }: Excerpt): string {
  return `${before}${changed}${after}`
}

/** Joins the lines of a text into one. */
function printLine(text: string): string {
  return cutText(text.replaceAll(/\s+/g, ' '), lineWidth * 2)
}

function diffBlock(expected: readonly string[], received: readonly string[]): string {
  return codeBlock([...expected.map((line) => `- ${line}`), ...received.map((line) => `+ ${line}`)].join('\n'), 'diff')
}

function adviceBlock({ words, command }: Advice): string {
  return command === undefined
    ? escapeMarkdown(words)
    : `${escapeMarkdown(words)}\n\n${codeBlock(printable(command), command.startsWith('replay(') ? 'ts' : 'sh')}`
}
