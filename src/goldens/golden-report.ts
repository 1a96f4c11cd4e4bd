import { createReport } from '../divergence/create-report.ts'
import { changeKey } from '../divergence/report/group-reports.ts'
import { toJsonReport } from '../divergence/report/json-report.ts'
import type { Report } from '../divergence/report/report.ts'
import { toMarkdown } from '../divergence/report/markdown.ts'
import type { Verdict } from '../matchers/holds.ts'
import { digest } from '../replay/traces/digest.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { GoldenReport } from './results/golden-result.ts'

/** Creates the report on a golden that does not hold. */
export function reportOn(run: ReplayedRun, verdict: Exclude<Verdict, { holds: true }>): GoldenReport {
  return inAllForms(createReport(run, 'incident' in verdict ? verdict.incident : undefined))
}

/** A report in all forms in which it is printed. */
export function inAllForms(report: Report): GoldenReport {
  return { json: toJsonReport(report), markdown: toMarkdown(report), key: digest(changeKey(report)) }
}
