import type { Trace } from '../../../trace/trace.ts'
import type { Plan } from '../../calls/plan.ts'
import type { ReplaySettings } from '../../contract/replay-options.ts'
import { tellDefaultTrigger } from './default-trigger.ts'
import { incidentOf } from './incident.ts'
import { IncidentWatch } from './incident-watch.ts'

/** Creates the watch of an incident golden. Undefined for other goldens, and if the trace does not have the steps that the golden names. */
export function watchIncident(trace: Trace, plan: Plan, { departure, rules }: ReplaySettings): IncidentWatch | undefined {
  const incident = departure === undefined ? undefined : incidentOf(trace, departure)
  if (departure === undefined || incident === undefined || !plan.steps.has(incident.at.step)) return undefined
  tellDefaultTrigger(trace.header, departure, incident)
  return new IncidentWatch(incident, plan, rules)
}
