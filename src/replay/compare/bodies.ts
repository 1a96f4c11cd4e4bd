import type { CallRow } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'

/** Which calls of two runs are compared. */
export interface Bodies {
  /** Whether a call belongs to the process more than to a run, in either run. */
  isAmbient(call: Pick<CallRow, 'name'>): boolean
  /** Whether what a tool did in its body is compared too. */
  runs(call: Pick<CallRow, 'boundary' | 'name'>): boolean
}

/** A run, and whether it is a replay: in one the functions of tools ran or did not, in a recording they all did. */
export interface Side {
  readonly trace: Trace
  readonly isReplay: boolean
}

/** The bodies of tools are compared by name: where one of the runs is a replay, of the tools that ran in it, else of all that did anything. */
export function createBodies(...sides: readonly Side[]): Bodies {
  const replays = sides.filter(({ isReplay }) => isReplay)
  const running = new Set((replays.length > 0 ? replays : sides).flatMap(({ trace }) => ownerNames(trace)))
  const ambient = new Set(sides.flatMap(({ trace }) => trace.header.ambient?.names ?? []))
  return {
    isAmbient: ({ name }) => ambient.has(name),
    runs: ({ boundary, name }) => boundary === 'tool' && running.has(name),
  }
}

function ownerNames({ rows, steps }: Trace): string[] {
  const owners = new Set(rows.map((row) => (row.kind === 'call' || row.kind === 'checkpoint' ? row.owner : 0)))
  return steps.flatMap(({ step, name }) => (owners.has(step) ? [name] : []))
}
