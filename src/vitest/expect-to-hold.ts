import path from 'node:path'
import { expect } from 'vitest'
import { renderReport } from '../divergence/create-report.ts'
import type { Report } from '../divergence/report/report.ts'
import { toTerminal } from '../divergence/report/to-terminal.ts'
import type { CallSite } from '../run/call-site.ts'
import type { Verdict } from '../matchers/holds.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
// oxlint-disable-next-line import/no-unassigned-import -- importing it registers the matchers
import './register-matchers.ts'

/**
 * Expects a golden to hold.
 *
 * @note The error's stack leads to the agent's line, so that runners show and annotate that line instead of one of goldenrun's.
 */
export function expectToHold(run: ReplayedRun, verdict: Exclude<Verdict, { holds: true }>): void {
  try {
    // The matcher does not try other seeds.
    if (verdict.why === 'nondeterminism') throw new Error(renderReport(run, { color: false, width: 100, incident: verdict.incident }))
    expect(run).toReplayWithoutDivergence()
  } catch (error) {
    if (error instanceof Error) leadTo(error, run.divergences[0]?.site)
    throw error
  }
}

/** Fails with the report of a fresh process. */
export function failWith(report: Report): never {
  const error = new Error(toTerminal(report, { color: false, width: 100 }))
  leadTo(error, report.divergence?.site)
  throw error
}

function leadTo(error: Error, site: CallSite | undefined): void {
  const frame = site === undefined ? '' : `\n    at ${path.resolve(site.file)}:${site.line}:${site.column}`
  error.stack = `${error.name}: ${error.message}${frame}`
}
