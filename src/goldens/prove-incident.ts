import { createReport } from '../divergence/create-report.ts'
import { toTerminal } from '../divergence/report/to-terminal.ts'
import { statusOf } from '../matchers/holds.ts'
import { judgeGolden } from '../matchers/judge-golden.ts'
import type { Promotion } from '../replay/goldens/promotion.ts'
import { PromoteError } from '../replay/goldens/promotion/promote-error.ts'
import { printable } from '../trace/printable.ts'
import { omitUndefined } from '../trace/json.ts'
import type { JudgedTrace } from './fresh/judged-trace.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'

/** How an agent with the bug failed: it made the incident's call again, or failed a check. */
export type IncidentProof = 'repeated' | 'failed'

/** The style of a report inside a message. */
const shown = { color: false, width: 100 }

/**
 * Replays a new incident golden, before it is written, with an agent that should still have the bug. If the replay does not fail, the golden
 * guards nothing.
 *
 * @param whose A description of the agent.
 * @throws PromoteError `GOLDENRUN_PROMOTE_INCIDENT` with what happened instead of the incident.
 */
export async function proveIncident(
  promotion: Promotion,
  agent: (input: never, context: never) => unknown,
  options: ReplayOptions,
  whose: string = 'the agent',
): Promise<IncidentProof> {
  const { run, verdict } = await judgeGolden(promotion.trace, agent as (input: never, context: unknown) => unknown, options)
  const incident = 'incident' in verdict ? { incident: verdict.incident } : {}
  return proofOfVerdict(
    promotion,
    { status: statusOf(verdict), report: createReport(run, incident.incident), ...omitUndefined(incident) },
    whose,
  )
}

/** Whether the verdict on a new incident golden shows that the agent has the bug. @throws as `proveIncident`. */
export function proofOfVerdict(
  { trace, name }: Promotion,
  { status, incident, evidence, report }: JudgedTrace,
  whose: string = 'the agent',
): IncidentProof {
  if (status === 'repeated') return status
  if (status === 'failed' && incident?.word === 'failed' && incident.failure.reason === 'check') return status
  const held = `Held "${name}": ${evidence ?? 'without the incident'}.`
  const told = report === undefined ? printable(held) : toTerminal(report, shown).trimEnd()
  throw new PromoteError('GOLDENRUN_PROMOTE_INCIDENT', {
    trace: trace.header.golden?.promotedFrom ?? trace.header.id,
    problem: `${whose} does not reproduce the incident, so nothing shows that this golden finds the bug. The report of its replay:\n\n${indent(told)}\n\n`,
    advice:
      'If the agent has been fixed, reproduce it with code that has the bug: --witness <git ref>. If the golden expects the wrong thing, name the step that ' +
      'triggered it (--trigger), the call that must not be repeated (--incident <step>) or what should happen instead (--check). ' +
      'To promote it anyway: --allow-unverified-incident',
  })
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')
}
