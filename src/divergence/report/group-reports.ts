import { canonical } from '../../trace/hash.ts'
import type { Divergence } from '../divergence.ts'
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
 * Groups reports of the same change: the same cause at the same line of the agent's code, in the same fields, with the same values; for a
 * call that is missing or extra, the same call; and the same consequences. A changed word in a tool's description is one finding in a hundred
 * goldens, whatever else their inputs contain.
 */
export function groupReports(reports: readonly Report[]): ReportGroup[] {
  const groups = Map.groupBy(reports, changeKey)
  return [...groups.values()].flatMap(([report, ...others]) =>
    report === undefined ? [] : [{ report, alsoIn: others.map(({ subject }) => subject.name) }],
  )
}

/** The part of a report that is the same in every trace with the change. */
export function changeKey({ subject, divergence, consequences, explanation, facts, headline }: Report): string {
  // A repeated incident is a finding of its own.
  if (divergence === undefined) return JSON.stringify([subject.name, headline])
  // In a longer conversation, the same change has more consequences of the same kind.
  const followed = [...new Set(consequences.map(consequenceKey))].toSorted()
  const changes = divergence.cause === 'order' ? facts.flatMap(orderedIn) : facts.flatMap(changesIn)
  return JSON.stringify([...placeOf(divergence), lineOf(divergence), explanation, sidesOf(divergence), changes, followed])
}

/** The line without its column, which differs where one report names the call and another the `await`. */
function lineOf({ site }: Divergence): unknown[] {
  return [site?.file, site?.line]
}

function consequenceKey(divergence: Divergence): string {
  return JSON.stringify([...placeOf(divergence), sidesOf(divergence)])
}

function placeOf({ cause, position, boundary, name, parts }: Divergence): unknown[] {
  return [cause, position, boundary, name, parts]
}

/** What was expected and what was received, for a difference that is not told by fields: a call that is missing or extra, an error. */
function sidesOf({ cause, differences, expected, received }: Divergence): readonly string[] {
  if (cause === 'unexpected-call') return [canonical(received)]
  return cause !== 'missing-call' && differences.length > 0 ? [] : [canonical(expected), canonical(received)]
}

/** The calls that changed places. Their step numbers differ from trace to trace. */
function orderedIn(fact: Fact): unknown[] {
  return fact.kind === 'lines' ? [fact.expected?.replaceAll(/\bstep \d+/g, 'step')] : []
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
