import { printCheck } from '../divergence/report/next-commands.ts'
import { failedCheck } from '../matchers/holds.ts'
import { guardsNothing } from '../replay/goldens/promotion/expect-departure.ts'
import { incidentOf } from '../replay/judge/incident/incident.ts'
import { replay } from '../replay/replay.ts'
import type { Trace } from '../trace/trace.ts'

/**
 * Asks the checks of a new incident golden about an agent that does nothing.
 *
 * @throws PromoteError `GOLDENRUN_PROMOTE_INCIDENT` if they are all that guards it, and that agent passes them; OptionsError for a check with an argument
 * that its matcher does not take.
 */
export async function refuseIdle(trace: Trace): Promise<void> {
  const expect = trace.header.golden?.expect
  if (expect?.replay !== 'departs' || expect.checks === undefined) return
  // It has no need of the runs that the golden follows: it does nothing.
  const idle = await replay(trace, () => undefined, { after: [] })
  const failed = expect.checks.map((check) => failedCheck(idle, check)).filter((each) => each !== undefined)
  const incident = incidentOf(trace, expect)
  if (failed.length > 0 || incident?.repeats !== false) return
  const passed = expect.checks.map((check) => printCheck(check, JSON.stringify))
  throw guardsNothing(trace, incident, passed)
}
