import type { Divergence } from '../divergence.ts'
import { isNever } from './cause-words.ts'
import type { Advice } from './report.ts'
import type { ReportedRun } from './reported-run.ts'
import { unfitAnswer } from './unfit-answer.ts'

/** Why a divergence cannot be accepted into a golden that keeps its recorded answers. */
export interface RebaseRefusal {
  /** A clause without its subject: `never ends`. */
  readonly reason: string
  /** Set if the recorded answer does not fit the changed call. */
  readonly isUnfit?: true
  /** What to do if recording the golden again does not help either. Absent if it helps. */
  readonly instead?: Advice
}

/** Why a divergence cannot be accepted into a golden. Undefined if it can. */
export function refusalOf(run: Pick<ReportedRun, 'trace'>, divergence: Divergence): RebaseRefusal | undefined {
  const { cause, parts, received } = divergence
  if (cause === 'outcome') return isNever(received) ? endless : undefined
  if (cause === 'checkpoint') return undefined
  if (cause === 'model-drift' || parts.includes('model')) return { reason: 'calls a different model, whose answers were not recorded' }
  if (cause !== 'input') return { reason: 'needs answers that were not recorded' }
  return parts.includes('environment') ? dated : unfitRefusal(run, divergence)
}

function unfitRefusal({ trace }: Pick<ReportedRun, 'trace'>, { step, received }: Divergence): RebaseRefusal | undefined {
  const recorded = trace.steps.find((one) => one.step === step)
  const unfit = recorded === undefined || received === undefined ? undefined : unfitAnswer(recorded, received)
  return unfit === undefined ? undefined : { reason: `would keep a recorded answer that ${unfit}`, isUnfit: true }
}

const endless: RebaseRefusal = {
  reason: 'never ends',
  instead: {
    id: 'end-the-wait',
    words: 'Correct what the agent waits for: a run that does not end cannot be accepted into a golden.',
  },
}

const dated: RebaseRefusal = {
  reason: 'depends on the current date',
  instead: {
    id: 'read-clock-inside',
    words: 'Until the agent reads the clock inside the run, the date cannot be accepted, and recording again does not help.',
  },
}
