import { renderReport } from '../divergence/report.ts'
import { judgeGolden } from '../matchers/judge-golden.ts'
import type { Promotion } from '../replay/goldens/promote.ts'
import { PromoteError } from '../replay/goldens/promotion/promote-error.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'

/** What an agent that still has the bug comes to: it makes the incident's call again, or fails a check. */
export type IncidentProof = 'repeated' | 'failed'

/** Lines of a report that a message shows. */
const shown = { color: false, width: 100 }

/**
 * Holds the agent as it is against the golden of an incident that is about to be written. A golden that an agent with the bug does not turn red
 * guards nothing.
 *
 * @param whose Which agent it is, in words.
 * @throws PromoteError `GOLDENRUN_PROMOTE_INCIDENT` with what was seen in place of the incident.
 */
export async function proveIncident(
  { trace }: Promotion,
  agent: (input: never, context: never) => unknown,
  options: ReplayOptions,
  whose: string = 'the agent',
): Promise<IncidentProof> {
  const { run, verdict } = await judgeGolden(trace, agent as (input: never, context: unknown) => unknown, options)
  if (!verdict.holds && verdict.why === 'repeated') return verdict.why
  if (!verdict.holds && 'incident' in verdict && verdict.incident.word === 'failed' && verdict.incident.failure.reason === 'check')
    return 'failed'
  const incident = 'incident' in verdict ? verdict.incident : undefined
  const report = renderReport(run, { ...shown, ...(incident && { incident }) }).trimEnd()
  throw new PromoteError('GOLDENRUN_PROMOTE_INCIDENT', {
    trace: trace.header.golden?.promotedFrom ?? trace.header.id,
    problem: `${whose} does not do it again, so nothing shows that this golden finds the bug. It says:\n\n${indent(report)}\n\n`,
    advice:
      'If the agent has been fixed, let code that has the bug show it: --witness <git ref>. If the golden asks for the wrong thing: name the step that ' +
      'made it happen (--trigger), the call that must not be made again (--incident <step>) or what should come of it (--check). ' +
      'To promote it all the same: --allow-unverified-incident',
  })
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')
}
