import { captureTrail } from '../../run/call-site.ts'
import { makeDivergence } from './finding.ts'
import type { Findings } from './findings.ts'
import type { HttpDelivery } from '../answers/http-delivery.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/** The agent stops an exchange. That is a difference if the recorded run read the whole answer. A time limit may be the reason. */
export function leaveAnswer(call: ReplayCall, delivery: HttpDelivery, findings: Findings): void {
  const { planned, boundary, name } = call
  const isLimited = findings.limits.stops(call)
  const isShort = delivery.stop()
  if (isLimited || !isShort || planned?.settledPlace === undefined || findings.stop !== undefined) return
  const site = { stack: captureTrail().stack ?? '' }
  const [expected, received] = [{ read: 'to its end' }, { left: 'before its end' }]
  const fields = { step: planned.call.step, position: 'at', boundary, name, expected, received, site } as const
  findings.add({ place: planned.settledPlace, divergence: makeDivergence('outcome', fields) })
}
