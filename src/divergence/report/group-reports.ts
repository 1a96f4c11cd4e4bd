import { printValue } from '../print-value.ts'
import { excerptsOf } from './excerpts.ts'
import type { Fact, Report } from './report.ts'

/** Reports that tell of the same change. */
export interface ReportGroup {
  /** The first of them stands for all. */
  readonly report: Report
  /** The names of the other traces. */
  readonly alsoIn: readonly string[]
}

/**
 * Puts reports together that tell of the same change: of the same cause at the same line of the agent's code, in the same fields, from the same
 * to the same. One word in a tool's description is one finding in a hundred goldens, however much else their inputs hold.
 */
export function groupReports(reports: readonly Report[]): ReportGroup[] {
  const groups = Map.groupBy(reports, changeKey)
  return [...groups.values()].flatMap(([report, ...others]) =>
    report === undefined ? [] : [{ report, alsoIn: others.map(({ subject }) => subject.name) }],
  )
}

/** What of a report is the same in every trace that carries the change. */
export function changeKey({ subject, divergence, explanation, facts, headline }: Report): string {
  // An incident that is repeated is its own finding.
  if (divergence === undefined) return JSON.stringify([subject.name, headline])
  const { cause, position, boundary, name, parts, site } = divergence
  return JSON.stringify([cause, position, boundary, name, parts, site, explanation, facts.flatMap(changesIn)])
}

function changesIn(fact: Fact): unknown[] {
  if (fact.kind === 'message') return [fact.text]
  if (fact.kind !== 'fields') return []
  return fact.differences.map(({ path, expected, received }) => {
    // The same change stands at another index of a longer conversation.
    const place = path.replaceAll(/\[\d+\]/g, '[*]')
    if (typeof expected !== 'string' || typeof received !== 'string') return [place, printValue(expected), printValue(received)]
    const { pairs, more } = excerptsOf(expected, received, widest)
    return [place, more, ...pairs.map((pair) => [pair.expected.changed, pair.received.changed])]
  })
}

/** So much of a changed part of a text counts. */
const widest = 1000
