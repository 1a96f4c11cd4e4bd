import type { PlannedStep } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { Finding } from './finding.ts'

/** A call in the log of decisions. */
export function describeCall({ number, boundary, name, input }: ReplayCall): string {
  return `call ${number} (${boundary} ${name}${input === undefined ? ', its body is still being sent' : ''})`
}

export function listSteps(steps: readonly PlannedStep[]): string {
  return steps.length === 0 ? 'none' : steps.map(({ call }) => call.step).join(', ')
}

/** Paths, never values. */
export function describePaths({ divergence: { differences } }: Finding): string {
  return differences.length === 0 ? '' : ` at ${differences.map(({ path }) => path || '(whole)').join(', ')}`
}
