import { adviceFor, debugAdvice, raceAdvice } from './report/advice.ts'
import { describeDivergence, tellDivergence } from './report/cause-words.ts'
import { explainRun } from './report/explain-run.ts'
import { explainOwnValues, ownValueAdvice, ownValuesOf } from './report/own-values.ts'
import { factsOf } from './report/facts.ts'
import { incidentReport } from './report/incident-report.ts'
import { notesOf } from './report/notes.ts'
import type { Report } from './report/report.ts'
import { nameOf, type ReportedRun, type ReportStyle } from './report/reported-run.ts'
import { skippedStep } from './report/skipped-step.ts'
import { stepsUpTo } from './report/steps.ts'
import { tellSinceAccepted } from './report/tell-since-accepted.ts'
import { toTerminal } from './report/to-terminal.ts'
import type { Divergence } from './divergence.ts'
import type { IncidentVerdict } from './incident-verdict.ts'

/** How a report looks, and the verdict that it is about. */
export interface ReportOptions extends ReportStyle {
  /** The verdict of an incident golden. Default: the golden is not an incident golden. */
  readonly incident?: IncidentVerdict | undefined
}

/**
 * Reports why a trace does not hold: what the golden is about, the steps before, what differs and where in the agent's code, why, and what
 * to do. For an incident golden, reports that the agent still repeats the incident, never reached it, or fails in another way.
 */
export function createReport(run: ReportedRun, incident?: IncidentVerdict): Report {
  const report: Report =
    incident === undefined
      ? reportDivergences(run)
      : { subject: subjectOf(run), consequences: [], ...notedOf(run), ...incidentReport(run, incident) }
  const headline =
    run.since === undefined ? report.headline : `${report.headline} ${tellSinceAccepted(run.since, run.commands?.optionsIn === 'config')}`
  return { ...report, headline, advice: [...report.advice, ...debugAdvice(run, report.divergence, incident)] }
}

/** Reports where a replay differs from its trace, whatever the trace expects, or where a run differs from another. */
export function reportDivergences(run: ReportedRun): Report {
  const [divergence, ...consequences] = run.divergences
  const subject = subjectOf(run)
  if (divergence === undefined)
    return { subject, headline: tellSame(run), steps: [], explanation: '', facts: [], consequences: [], ...notedOf(run), advice: [] }
  const ownValues = ownValuesOf(run, divergence)
  return {
    subject,
    headline:
      run.other === undefined
        ? `Failed to replay "${subject.name}": ${tellDivergence(divergence)}.`
        : `"${run.other}" differs from "${subject.name}": ${describeDivergence(divergence)}.`,
    steps: stepsUpTo(run, divergence),
    explanation: ownValues.length > 0 ? explainOwnValues(ownValues) : explainRun(run, divergence),
    divergence,
    facts: factsOf(run, divergence),
    consequences: consequences.filter((each) => !isTold(each, divergence, run)),
    ...notedOf(run),
    advice: [
      ...raceAdvice(run, divergence),
      ...(ownValues.length > 0 ? ownValueAdvice(run, ownValues) : []),
      ...adviceFor(run, divergence),
    ],
    ...labelsOf(run, divergence),
  }
}

/** Whether a consequence is of the step that the report is about, or of the step with which the agent went on after it skipped one. */
function isTold({ step, position }: Divergence, reported: Divergence, run: ReportedRun): boolean {
  if (position !== 'at') return false
  return (reported.position === 'at' && step === reported.step) || step === skippedStep(run, reported)?.next
}

/** The report of a replay for a terminal. */
export function renderReport(run: ReportedRun, options: ReportOptions): string {
  return toTerminal(createReport(run, options.incident), options)
}

/** The same, for its divergences only. */
export function renderDivergences(run: ReportedRun, style: ReportStyle): string {
  return toTerminal(reportDivergences(run), style)
}

function notedOf(run: ReportedRun): Pick<Report, 'notes' | 'standIns' | 'drawn'> {
  const { standIns = [], drawn = [] } = run
  return { notes: notesOf(run), ...(standIns.length > 0 && { standIns }), ...(drawn.length > 0 && { drawn }) }
}

function labelsOf({ other }: ReportedRun, { cause }: Divergence): Pick<Report, 'labels'> {
  if (other !== undefined) return { labels: { expected: 'a', received: 'b' } }
  return cause === 'nondeterminism' ? { labels: { expected: 'first', received: 'later' } } : {}
}

function tellSame(run: ReportedRun): string {
  if (run.other === undefined) return `Replayed "${nameOf(run)}" without divergence.`
  return `"${run.other}" matches "${nameOf(run)}" in all ${run.trace.steps.length} steps.`
}

function subjectOf(run: ReportedRun): Report['subject'] {
  const { golden, agent } = run.trace.header
  const { description, expectedOutcome } = golden ?? {}
  return { name: nameOf(run), agent, ...(description && { description }), ...(expectedOutcome && { expectedOutcome }) }
}
