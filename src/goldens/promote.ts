import {
  preparePromotion,
  type PromoteOptions as RecordedPromoteOptions,
  type Promotion,
  tryPromotion,
  writePromotion,
} from '../replay/goldens/promote.ts'
import { constantsToKeep } from '../replay/goldens/promotion/constants.ts'
import type { Trace } from '../trace/trace.ts'
import { proveIncident } from './prove-incident.ts'

/** How a trace is promoted. */
export interface PromoteOptions extends RecordedPromoteOptions {
  /** Write the golden of an incident though `agent` does not do again what went wrong. Default: refuse. */
  readonly allowUnverifiedIncident?: boolean
}

/**
 * Makes a recording a golden trace: a file in `golden-traces/` that replays are held against. The golden of an incident is held against `agent`
 * first, where that is given, which has to do again what went wrong.
 *
 * @example
 * await promote(await readTrace('20261121-021406123-9f2c41aa'), { name: 'cancel-unshipped' })
 *
 * @throws GoldenrunError `GOLDENRUN_PROMOTE_UNFINISHED`, `GOLDENRUN_PROMOTE_UNRECORDED_CONTACT` and `GOLDENRUN_PROMOTE_UNKEPT_VALUE` for a trace
 *   that lacks what a replay needs, `GOLDENRUN_PROMOTE_INCIDENT` for an expectation at a step it does not have, or one that the agent does not
 *   disappoint, `GOLDENRUN_PROMOTE_DOES_NOT_REPLAY` where the agent does not do the same again, `GOLDENRUN_GOLDEN_NAME` for a name that cannot be
 *   a file's, `GOLDENRUN_GOLDEN_EXISTS` for one that is taken. Nothing is written then.
 */
export async function promote(trace: Trace, options: PromoteOptions): Promise<Promotion> {
  const prepared = await preparePromotion(trace, options)
  const promotion = options.agent === undefined ? withoutTrial(prepared, options) : await tried(prepared, options.agent, options)
  await writePromotion(promotion, options)
  return promotion
}

async function tried(
  promotion: Promotion,
  agent: NonNullable<PromoteOptions['agent']>,
  { keepConstants = [], replay: options, allowUnverifiedIncident = false, expect }: PromoteOptions,
): Promise<Promotion> {
  const trial = await tryPromotion(promotion, agent, options)
  const settled = await trial.settle(constantsToKeep(promotion.trace, trial.constants, keepConstants))
  if (expect?.replay === 'departs' && !allowUnverifiedIncident) await proveIncident(settled, agent, options ?? {})
  return settled
}

function withoutTrial(promotion: Promotion, { keepConstants = [] }: PromoteOptions): Promotion {
  constantsToKeep(promotion.trace, undefined, keepConstants)
  return promotion
}
