import { adviceFor, raceAdvice } from './report/advice.ts'
import { describeDivergence, tellDivergence } from './report/cause-words.ts'
import { explainRun } from './report/explain-run.ts'
import { factsOf } from './report/facts.ts'
import { incidentReport } from './report/incident-report.ts'
import { notesOf } from './report/notes.ts'
import type { Report } from './report/report.ts'
import { nameOf, type FailedCheck, type ReportedRun, type ReportStyle } from './report/reported-run.ts'
import { stepsUpTo } from './report/steps.ts'
import { toTerminal } from './report/terminal.ts'
import type { Divergence } from './divergence.ts'

/** How a report looks, and what it is about. */
export interface ReportOptions extends ReportStyle {
  /** The check of an incident golden that the departed run did not pass. Default: none. */
  readonly failedCheck?: FailedCheck
}

/**
 * Tells why a trace does not hold: what the golden is about, the steps before, what differs and where in the agent's code, why, and what to do.
 * Of a golden of an incident: that the agent still does what went wrong, was stopped, or does not pass a check.
 */
export function createReport(run: ReportedRun, failedCheck?: FailedCheck): Report {
  const { golden } = run.trace.header
  if (golden?.expect.replay !== 'departs') return reportDivergences(run)
  return { subject: subjectOf(run), consequences: [], notes: notesOf(run), ...incidentReport(run, golden.expect.at, failedCheck) }
}

/** Tells where a replay differs from its trace, whatever the trace expects of it; or a run from another. */
export function reportDivergences(run: ReportedRun): Report {
  const [divergence, ...consequences] = run.divergences
  const subject = subjectOf(run)
  if (divergence === undefined)
    return { subject, headline: tellSame(run), steps: [], explanation: '', facts: [], consequences: [], notes: notesOf(run), advice: [] }
  return {
    subject,
    headline:
      run.other === undefined
        ? `Failed to replay "${subject.name}": ${tellDivergence(divergence)}.`
        : `"${run.other}" differs from "${subject.name}": ${describeDivergence(divergence)}.`,
    steps: stepsUpTo(run, divergence),
    explanation: explainRun(run, divergence),
    divergence,
    facts: factsOf(run, divergence),
    consequences,
    notes: notesOf(run),
    advice: [...raceAdvice(run, divergence), ...adviceFor(run, divergence)],
    ...labelsOf(run, divergence),
  }
}

/** The report of a replay for a terminal. */
export function renderReport(run: ReportedRun, options: ReportOptions): string {
  return toTerminal(createReport(run, options.failedCheck), options)
}

/** The same of its divergences alone. */
export function renderDivergences(run: ReportedRun, style: ReportStyle): string {
  return toTerminal(reportDivergences(run), style)
}

function labelsOf({ other }: ReportedRun, { cause }: Divergence): Pick<Report, 'labels'> {
  if (other !== undefined) return { labels: { expected: 'a', received: 'b' } }
  return cause === 'nondeterminism' ? { labels: { expected: 'first', received: 'later' } } : {}
}

function tellSame(run: ReportedRun): string {
  if (run.other === undefined) return `Replayed "${nameOf(run)}" without a divergence.`
  return `"${run.other}" does the same as "${nameOf(run)}", in all ${run.trace.steps.length} steps.`
}

function subjectOf(run: ReportedRun): Report['subject'] {
  const { golden, agent } = run.trace.header
  const { description, expectedOutcome } = golden ?? {}
  return { name: nameOf(run), agent, ...(description && { description }), ...(expectedOutcome && { expectedOutcome }) }
}
