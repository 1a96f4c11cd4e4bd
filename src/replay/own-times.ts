import type { TimeSpan } from '../divergence/module-date.ts'
import type { Plan } from './plan.ts'

/** From when on the recorded run read the clock, to its end. Undefined where it did not. */
export function ownTimes({ header, reads, end }: Pick<Plan, 'header' | 'reads' | 'end'>): TimeSpan | undefined {
  const steps = reads.flatMap(({ row }) => row.clock ?? [])
  const [first] = steps
  if (first === undefined) return undefined
  const startedAt = Date.parse(header.startedAt)
  const last = steps.reduce((sum, step) => sum + step, startedAt)
  // The clock of the machine may have been set while the run went on.
  return { from: startedAt + first, to: Math.max(last, startedAt + (end?.at ?? 0)), zones: ['UTC', header.runtime.timeZone] }
}
