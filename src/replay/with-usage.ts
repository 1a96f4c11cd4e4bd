import { usageOfSteps } from '../models/usage.ts'
import { assembleTrace } from '../trace/assemble.ts'
import type { Trace } from '../trace/trace.ts'
import { digest } from './digest.ts'

/** A trace whose end says what its model calls used: a recorder, which reads no answers, leaves that to whoever reads the recording. */
export function withUsage(trace: Trace): Trace {
  if (trace.end === undefined || trace.end.usage !== undefined) return trace
  const end = { ...trace.end, usage: usageOfSteps(trace.steps) }
  return assembleTrace(
    trace.rows.map((row) => (row.kind === 'end' ? end : row)),
    digest,
  )
}
