import { inSlices } from '../../node/in-slices.ts'
import { addingUsage, usageOfSteps } from '../../models/usage.ts'
import { withUsageAtEnd } from '../../trace/assemble.ts'
import type { Trace } from '../../trace/trace.ts'

/** A trace whose end says what its model calls used: a recorder, which reads no answers, leaves that to whoever reads the recording. */
export function withUsage(trace: Trace): Trace {
  return lacksUsage(trace) ? withUsageAtEnd(trace, usageOfSteps(trace.steps)) : trace
}

/** The same, a slice at a time. */
export async function withUsageInSlices(trace: Trace): Promise<Trace> {
  return lacksUsage(trace) ? withUsageAtEnd(trace, await inSlices(addingUsage(trace.steps))) : trace
}

function lacksUsage({ end }: Trace): boolean {
  return end !== undefined && end.usage === undefined
}
