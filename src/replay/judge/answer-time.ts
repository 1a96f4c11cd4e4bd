import type { ReplayCall } from '../calls/replay-call.ts'
import type { Plan, PlannedStep } from '../calls/plan.ts'

/** How long a call without a recorded answer takes, in milliseconds: as long as the last recorded call of its name. */
export function answerTime({ steps }: Plan, { boundary, name }: ReplayCall, step?: PlannedStep): number {
  const alike = [...steps.values()].findLast(({ call, settled }) => settled && call.boundary === boundary && call.name === name)
  const { call, settled } = step?.settled === undefined ? (alike ?? {}) : step
  return call === undefined || settled === undefined ? 1 : settled.at - call.at
}
