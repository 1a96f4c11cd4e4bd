import { assembleStep } from '../../trace/assemble.ts'
import type { Step } from '../../trace/trace.ts'
import type { PlannedStep } from './plan.ts'

/** A recorded step with its answer, as a trace has it. */
export function toStep({ call, completions, settled }: PlannedStep): Step {
  const head = completions.findLast((row) => row.kind === 'head')
  const chunks = completions.filter((row) => row.kind === 'chunk')
  return assembleStep({ call, chunks, ...(head && { head }), ...(settled && { settling: settled }) })
}
