import { printable } from '../../trace/printable.ts'
import { cutText } from '../print-value.ts'
import type { ReportGroup } from './group-reports.ts'
import { inlineCode } from './markdown/syntax.ts'
import { toMarkdown } from './markdown.ts'
import type { ReportStyle } from './reported-run.ts'
import { toTerminal } from './to-terminal.ts'

/** How many names of traces with the same difference are listed. */
const namedInTerminal = 5
const namedInMarkdown = 50

/** A comment on GitHub has at most 65,536 characters. */
const longestComment = 60_000

/** A longer name is cut. */
const longestName = 200

/** Findings for a terminal, each once, with the other traces that have it. */
export function groupsToTerminal(groups: readonly ReportGroup[], style: ReportStyle): string {
  return groups.map(({ report, alsoIn }) => withOthers(toTerminal(report, style), alsoIn, namedInTerminal, printable)).join('\n\n\n')
}

/** A finding of a report. */
export function findingOf({ report, alsoIn }: ReportGroup): MarkdownFinding {
  return { markdown: toMarkdown(report), alsoIn }
}

/** Findings as one comment on a pull request. Findings that do not fit are counted. */
export function groupsToMarkdown(groups: readonly ReportGroup[]): string {
  return findingsToMarkdown(groups.map(findingOf))
}

/** A report in Markdown, and the other traces with the same difference. */
export interface MarkdownFinding {
  readonly markdown: string
  readonly alsoIn: readonly string[]
}

/** The same for reports that are already in Markdown. */
export function findingsToMarkdown(groups: readonly MarkdownFinding[]): string {
  const blocks: string[] = []
  let length = 0
  for (const { markdown, alsoIn } of groups) {
    const block = fitting(withOthers(markdown, alsoIn, namedInMarkdown, inlineCode))
    length += block.length
    if (length > longestComment && blocks.length > 0) break
    blocks.push(block)
  }
  const left = groups.length - blocks.length
  if (left > 0) blocks.push(`And ${left} more ${left === 1 ? 'finding' : 'findings'}: they do not fit in one comment.`)
  return blocks.join('\n\n---\n\n')
}

/** A finding, or only its headline: a block that is cut anywhere might leave a code block or a section open, which would take in what follows. */
function fitting(block: string): string {
  if (block.length <= longestComment) return block
  return `${block.slice(0, block.indexOf('\n'))}\n\nThe rest of this finding does not fit in one comment.`
}

/** A summary of the statuses of goldens: `3 golden traces: 1 not held, 2 held.` */
export function tellCounts(statuses: readonly string[]): string {
  const counts = [...Map.groupBy(statuses.toSorted(), (status) => status)].map(([status, { length }]) => `${length} ${status}`)
  return `${statuses.length} golden ${statuses.length === 1 ? 'trace' : 'traces'}: ${counts.join(', ')}.`
}

/** A finding, with the names of the other traces that have it. */
function withOthers(finding: string, alsoIn: readonly string[], named: number, print: (name: string) => string): string {
  if (alsoIn.length === 0) return finding
  const names = alsoIn
    .slice(0, named)
    .map((name) => print(cutText(name, longestName)))
    .join(', ')
  return `${finding}\n\nThe same in ${alsoIn.length} more: ${names}${alsoIn.length > named ? ', …' : ''}`
}
