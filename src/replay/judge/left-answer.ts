import { callSite, captureTrail } from '../../run/call-site.ts'
import type { Findings } from './findings.ts'
import type { HttpDelivery } from '../answers/http-delivery.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/** The agent stops an exchange. That is a difference if the recorded run read the whole answer. A time limit may be the reason. */
export function leaveAnswer(call: ReplayCall, delivery: HttpDelivery, findings: Findings): void {
  const { planned, boundary, name } = call
  const isLimited = findings.limits.stops(call)
  const isShort = delivery.stop()
  if (isLimited || !isShort || planned?.settledPlace === undefined || findings.stop !== undefined) return
  const site = callSite(captureTrail().stack)
  findings.add({
    place: planned.settledPlace,
    divergence: {
      cause: 'outcome',
      step: planned.call.step,
      position: 'at',
      boundary,
      name,
      parts: [],
      differences: [],
      nearest: [],
      expected: { read: 'to its end' },
      received: { left: 'before its end' },
      ...(site && { site }),
      consequence: false,
    },
  })
}
