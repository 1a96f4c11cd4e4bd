import { printCheck } from '../divergence/report/next-commands.ts'
import { failedCheck } from '../matchers/holds.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { guardsNothing } from '../replay/goldens/promotion/expect-departure.ts'
import { type Incident, incidentOf } from '../replay/judge/incident/incident.ts'
import { replay } from '../replay/replay.ts'
import { modelCallsOf } from '../replay/traces/model-calls.ts'
import { toolCallsOf } from '../replay/traces/tool-calls.ts'
import { sideEffectsOf } from '../trace/side-effects.ts'
import type { Trace } from '../trace/trace.ts'

/**
 * Asks the checks of a new incident golden about two agents that mend nothing: one that does nothing, and one that does what the recorded run did up to
 * the trigger, and then returns nothing.
 *
 * @throws PromoteError `GOLDENRUN_PROMOTE_INCIDENT` if they are all that guards it, and one of those agents passes them; OptionsError for a check with an
 * argument that its matcher does not take.
 */
export async function refuseIdle(trace: Trace): Promise<void> {
  const expect = trace.header.golden?.expect
  if (expect?.replay !== 'departs' || expect.checks === undefined) return
  const { checks } = expect
  const passes = (run: ReplayedRun): boolean => checks.map((check) => failedCheck(run, check)).every((failed) => failed === undefined)
  // It has no need of the runs that the golden follows: it does nothing.
  const idle = await replay(trace, () => undefined, { after: [] })
  const isPassedByIdle = passes(idle)
  const incident = incidentOf(trace, expect)
  if (incident?.repeats !== false) return
  const passed = checks.map((check) => printCheck(check, JSON.stringify))
  if (isPassedByIdle) throw guardsNothing(trace, incident, { passed })
  const { trigger } = incident
  if (trigger === 'input' || !passes(stoppedAfter(trigger, trace, idle))) return
  throw guardsNothing(trace, incident, { passed, by: `an agent that stops after step ${trigger.step}` })
}

/** The recorded run up to a step, as a run that then returned nothing. */
function stoppedAfter(
  { step: last, settledAt = Infinity }: Exclude<Incident['trigger'], 'input'>,
  trace: Trace,
  idle: ReplayedRun,
): ReplayedRun {
  const steps = trace.steps.filter(({ step }) => step <= last)
  const modelCalls = modelCallsOf(steps)
  const stopped: Partial<ReplayedRun> = {
    steps,
    modelCalls,
    toolCalls: toolCallsOf(steps, modelCalls),
    sideEffects: sideEffectsOf(steps, trace.header),
    checkpoints: trace.checkpoints.filter(({ at }) => at <= settledAt),
  }
  const values = Object.fromEntries(Object.entries(stopped).map(([name, value]) => [name, { value, enumerable: true }]))
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(idle), ...values }) as ReplayedRun
}
