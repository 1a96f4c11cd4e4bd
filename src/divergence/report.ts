import { adviceFor, raceAdvice } from './report/advice.ts'
import { bodyLines } from './report/body-lines.ts'
import { describeDivergence, explain, tellDivergence } from './report/cause-words.ts'
import { incidentReport, type ReportParts } from './report/incident-report.ts'
import { createLayout, type Layout } from './report/layout.ts'
import { nameOf, type FailedCheck, type ReportedRun, type ReportStyle } from './report/reported-run.ts'
import { stepsUpTo } from './report/step-lines.ts'
import { cutText } from './print-value.ts'
import type { Divergence } from './divergence.ts'

/** How a report looks, and what it is about. */
export interface ReportOptions extends ReportStyle {
  /** The check of an incident golden that the departed run did not pass. Default: none. */
  readonly failedCheck?: FailedCheck
}

/** Divergences behind the first that are named. */
const named = 3

/**
 * Tells a person why a trace does not hold, in a screenful: what the golden is about, the steps before, what differs and where in the agent's
 * code, why, and what to do. Of a golden of an incident: that the agent still does what went wrong, was stopped, or does not pass a check.
 */
export function renderReport(run: ReportedRun, options: ReportOptions): string {
  const { golden } = run.trace.header
  if (golden?.expect.replay !== 'departs') return renderDivergences(run, options)
  const layout = createLayout(options)
  return toText(run, incidentReport(run, golden.expect.at, options.failedCheck, layout), [], layout)
}

/** Tells where a replay differs from its trace, whatever the trace expects of it. */
export function renderDivergences(run: ReportedRun, style: ReportStyle): string {
  const layout = createLayout(style)
  const [first, ...others] = run.divergences
  if (first === undefined) return `Replayed "${nameOf(run)}" without a divergence.`
  const parts: ReportParts = {
    headline: `Failed to replay "${nameOf(run)}": ${tellDivergence(first)}.`,
    steps: stepsUpTo(run, first, layout),
    explanation: explain(first),
    body: bodyLines(run, first, layout),
    advice: [...raceAdvice(run, first), ...adviceFor(run, first, layout)],
  }
  return toText(run, parts, moreLines(others, layout), layout)
}

function toText(run: ReportedRun, parts: ReportParts, more: readonly string[], layout: Layout): string {
  const { colors, width } = layout
  const { description, expectedOutcome } = run.trace.header.golden ?? {}
  const sentences = [description, expectedOutcome && `Expected outcome: ${expectedOutcome}`]
  const about = sentences.flatMap((line) => (line ? [cutText(`  ${line.replaceAll(/\s+/g, ' ')}`, width)] : []))
  const blocks = [[colors.bold(parts.headline), ...about], parts.steps, [parts.explanation, ...parts.body, ...more], parts.advice]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function moreLines(others: readonly Divergence[], { width }: Layout): string[] {
  if (others.length === 0) return []
  const names = others.slice(0, named).map(describeDivergence)
  return [cutText(`and ${others.length} more: ${names.join(', ')}${others.length > named ? ', …' : ''}`, width)]
}
