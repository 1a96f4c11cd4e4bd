import { mayWrite } from '../../trace/reading-requests.ts'
import type { HttpInput } from '../../trace/rows.ts'
import type { ReplayCall } from './replay-call.ts'

/** Whether a call only reads, by its declared effect or its method. */
export function isRead({ boundary, effect, input }: ReplayCall): boolean {
  if (boundary === 'tool' || boundary === 'external') return effect === 'read'
  const request = input?.value as HttpInput | undefined
  return request !== undefined && !mayWrite(request)
}
