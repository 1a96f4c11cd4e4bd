import { digest } from '../replay/traces/digest.ts'
import { assembleTrace } from '../trace/assemble.ts'
import type { ForkedFrom } from '../trace/run-row.ts'
import type { Trace } from '../trace/trace.ts'

/** A trace up to a place: its rows before that, without what a golden expects of the whole. */
export function cutTrace({ rows, header }: Trace, place: number, forkedFrom: ForkedFrom): Trace {
  const { golden: _, ...kept } = header
  return assembleTrace([{ ...kept, forkedFrom }, ...rows.slice(1, place)], digest)
}
