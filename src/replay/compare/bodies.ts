import { isNamedCall } from '../../trace/named-urls.ts'
import type { CallRow, HttpInput } from '../../trace/rows.ts'
import { readsStore } from '../../trace/store-reads.ts'
import type { Trace } from '../../trace/trace.ts'

/** Which calls of two runs are compared. */
export interface Bodies {
  /** Whether a call belongs to the process rather than to a run, in either run. */
  isAmbient(call: CallRow): boolean
  /** Whether a tool's body is compared, too. */
  runs(call: Pick<CallRow, 'boundary' | 'name'>): boolean
}

/** Tool bodies are compared by name, if they ran in both runs. In a recording all ran, in a replay only some may have. */
export function createBodies(...traces: readonly Trace[]): Bodies {
  const active = new Set(traces.flatMap((trace) => ownerNames(trace)))
  const ran = ({ header }: Trace, name: string): boolean => header.replay?.ran.includes(name) ?? true
  const ambient = traces.flatMap(({ header }) => header.ambient?.names ?? [])
  const areReadsAmbient = traces.every(({ header }) => header.format >= 3)
  return {
    isAmbient: (call) => isNamedCall(call, ambient) || (areReadsAmbient && call.boundary === 'http' && readsStore(call.input as HttpInput)),
    runs: ({ boundary, name }) => boundary === 'tool' && active.has(name) && traces.every((trace) => ran(trace, name)),
  }
}

function ownerNames({ rows, steps }: Trace): string[] {
  const owners = new Set(rows.map((row) => (row.kind === 'call' || row.kind === 'checkpoint' ? row.owner : 0)))
  return steps.flatMap(({ step, name }) => (owners.has(step) ? [name] : []))
}
