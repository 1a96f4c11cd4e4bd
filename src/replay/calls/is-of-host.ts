import { hostOf } from '../../http/host-of.ts'
import { isLiveHost } from '../../http/live-hosts.ts'
import type { HttpInput } from '../../trace/rows.ts'
import type { PlannedCall } from './plan-of.ts'

/** Whether a recorded call went to one of the live hosts. */
export function isOfHost({ boundary, input }: PlannedCall, live: readonly string[]): boolean {
  return live.length > 0 && (boundary === 'http' || boundary === 'model') && isLiveHost(hostOf((input as HttpInput).url).address, live)
}
