import type { Divergence } from '../divergence.ts'
import { isNever } from './cause-words.ts'

/** Why a divergence cannot be accepted into a golden that keeps its recorded answers. */
export interface RebaseRefusal {
  /** A clause without its subject: `never ends`. */
  readonly reason: string
  /** What to do if recording the golden again does not help either. Absent if it helps. */
  readonly instead?: string
}

/** Why a divergence cannot be accepted into a golden. Undefined if it can. */
export function refusalOf({ cause, parts, received }: Divergence): RebaseRefusal | undefined {
  if (cause === 'outcome') return isNever(received) ? endless : undefined
  if (cause === 'checkpoint') return undefined
  if (cause === 'model-drift' || parts.includes('model')) return { reason: 'calls a different model, whose answers were not recorded' }
  if (cause === 'input') return parts.includes('environment') ? dated : undefined
  return { reason: 'needs answers that were not recorded' }
}

const endless: RebaseRefusal = {
  reason: 'never ends',
  instead: 'Correct what the agent waits for: a run that does not end cannot be accepted into a golden.',
}

const dated: RebaseRefusal = {
  reason: 'depends on the current date',
  instead: 'Until the agent reads the clock inside the run, the date cannot be accepted, and recording again does not help.',
}
