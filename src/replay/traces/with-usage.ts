import { inSlices } from '../../node/in-slices.ts'
import { addingUsage, usageOfSteps } from '../../models/usage.ts'
import { withUsageAtEnd } from '../../trace/assemble.ts'
import type { Trace } from '../../trace/trace.ts'

/** Adds the usage of model calls to a trace's end: the recorder does not read answers, so the reader of a recording has to. */
export function withUsage(trace: Trace): Trace {
  return lacksUsage(trace) ? withUsageAtEnd(trace, usageOfSteps(trace.steps)) : trace
}

/** The same, in slices. */
export async function withUsageInSlices(trace: Trace): Promise<Trace> {
  return lacksUsage(trace) ? withUsageAtEnd(trace, await inSlices(addingUsage(trace.steps))) : trace
}

function lacksUsage({ end }: Trace): boolean {
  return end !== undefined && end.usage === undefined
}
