import { mayWrite } from '../../trace/reading-requests.ts'
import type { HttpInput } from '../../trace/rows.ts'
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

/** Whether a call only reads, by its declared effect or its method. */
export function isRead({ boundary, effect, input }: ReplayCall): boolean {
  if (boundary === 'tool' || boundary === 'external') return effect === 'read'
  const request = input?.value as HttpInput | undefined
  return request !== undefined && !mayWrite(request)
}
