import type { RequestEffects } from '../../trace/boundary.ts'
import { mayWrite } from '../../trace/requests/may-write.ts'
import type { HttpInput } from '../../trace/rows.ts'
import type { Plan, PlannedStep } from './plan.ts'
import type { ReplayCall } from './replay-call.ts'

/** Whether a call only reads. @param effects The declared effects of requests. */
export function isRead({ boundary, effect, input }: ReplayCall, effects: RequestEffects | undefined): boolean {
  if (boundary === 'tool' || boundary === 'external') return effect === 'read'
  const request = input?.value as HttpInput | undefined
  return request !== undefined && !mayWrite(request, effects)
}

/** Whether a step is a read that outlived the run, so that it does not matter whether it is made. */
export function isLateRead({ endPlace, effects }: Plan, { place, call: { boundary, effect, input } }: PlannedStep): boolean {
  if (place < endPlace) return false
  return boundary === 'http' ? !mayWrite(input as HttpInput, effects) : effect === 'read'
}
