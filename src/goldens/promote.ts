import {
  preparePromotion,
  type PromoteOptions as RecordedPromoteOptions,
  type Promotion,
  tryPromotion,
  writePromotion,
} from '../replay/goldens/promotion.ts'
import { checkConversation } from '../replay/goldens/promotion/check-conversation.ts'
import { constantsToKeep } from '../replay/goldens/promotion/constants.ts'
import { readEarlier } from '../replay/traces/earlier-goldens.ts'
import type { Trace } from '../trace/trace.ts'
import { proveIncident } from './prove-incident.ts'
import { refuseIdle } from './refuse-idle.ts'

/** Options for promoting a trace. */
export interface PromoteOptions extends RecordedPromoteOptions {
  /** Write an incident golden even if `agent` does not reproduce the incident. Default: refuse. */
  readonly allowUnverifiedIncident?: boolean
}

/**
 * Promotes a recording to a golden trace: a file in `golden-traces/` that replays are compared with. For an incident golden, `agent`, if
 * given, first has to reproduce the incident.
 *
 * @example
 * await promote(await readTrace('20261121-021406123-9f2c41aa'), { name: 'cancel-unshipped' })
 *
 * @throws GoldenrunError `GOLDENRUN_PROMOTE_WHOLE_PROCESS` for a trace of a process, not of an agent; `GOLDENRUN_PROMOTE_UNFINISHED`,
 * `GOLDENRUN_PROMOTE_UNRECORDED_CONTACT` and `GOLDENRUN_PROMOTE_UNKEPT_VALUE` for a
 * trace that lacks what a replay needs, `GOLDENRUN_PROMOTE_INCIDENT` for an expectation at a missing step, or one that the agent already
 * meets, `GOLDENRUN_CONVERSATION` and `GOLDENRUN_PROMOTE_CONVERSATION` for a golden that it cannot follow,
 * `GOLDENRUN_PROMOTE_DOES_NOT_REPLAY` if the agent does not repeat the recorded run, `GOLDENRUN_GOLDEN_NAME` for a name that cannot
 * be a file name, `GOLDENRUN_GOLDEN_EXISTS` for an existing name, OptionsError for a check whose matcher does not take its arguments. Nothing is
 * written then.
 */
export async function promote(trace: Trace, options: PromoteOptions): Promise<Promotion> {
  const prepared = await preparePromotion(trace, options)
  checkConversation([...(await readEarlier(prepared.trace)), prepared.trace])
  await refuseIdle(prepared.trace)
  const promotion = await settle(prepared, options)
  await writePromotion(promotion, options)
  return promotion
}

/** Adjusts a promotion to the result of a trial replay. Without an agent there is no trial. */
async function settle(
  promotion: Promotion,
  { agent, keepConstants = [], replay: options, allowUnverifiedIncident = false, expect }: PromoteOptions,
): Promise<Promotion> {
  const keep = keepConstants === false ? { paths: [], ofModules: false } : { paths: keepConstants, ofModules: true }
  if (agent === undefined) {
    constantsToKeep(promotion.trace, undefined, keep)
    return promotion
  }
  const trial = await tryPromotion(promotion, agent, options)
  const settled = await trial.settle(constantsToKeep(promotion.trace, trial.constants, keep))
  if (expect?.replay === 'departs' && !allowUnverifiedIncident) await proveIncident(settled, agent, options ?? {})
  return settled
}
