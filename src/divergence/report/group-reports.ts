import { printValue } from '../print-value.ts'
import { excerptsOf } from './excerpts.ts'
import type { Fact, Report } from './report.ts'

/** Reports of the same change. */
export interface ReportGroup {
  /** The first report, which represents the group. */
  readonly report: Report
  /** The names of the other traces. */
  readonly alsoIn: readonly string[]
}

/**
 * Groups reports of the same change: the same cause at the same line of the agent's code, in the same fields, with the same values. A
 * changed word in a tool's description is one finding in a hundred goldens, whatever else their inputs contain.
 */
export function groupReports(reports: readonly Report[]): ReportGroup[] {
  const groups = Map.groupBy(reports, changeKey)
  return [...groups.values()].flatMap(([report, ...others]) =>
    report === undefined ? [] : [{ report, alsoIn: others.map(({ subject }) => subject.name) }],
  )
}

/** The part of a report that is the same in every trace with the change. */
export function changeKey({ subject, divergence, explanation, facts, headline }: Report): string {
  // A repeated incident is a finding of its own.
  if (divergence === undefined) return JSON.stringify([subject.name, headline])
  const { cause, position, boundary, name, parts, site } = divergence
  return JSON.stringify([cause, position, boundary, name, parts, site, explanation, facts.flatMap(changesIn)])
}

function changesIn(fact: Fact): unknown[] {
  if (fact.kind === 'message') return [fact.text]
  if (fact.kind !== 'fields') return []
  return fact.differences.map(({ path, expected, received }) => {
    // The same change has a different index in a longer conversation.
    const place = path.replaceAll(/\[\d+\]/g, '[*]')
    if (typeof expected !== 'string' || typeof received !== 'string') return [place, printValue(expected), printValue(received)]
    const { pairs, more } = excerptsOf(expected, received, widest)
    return [place, more, ...pairs.map((pair) => [pair.expected.changed, pair.received.changed])]
  })
}

/** How many characters of a changed part are compared. */
const widest = 1000
