import type { Step } from '../trace/trace.ts'
import type { Divergence } from './divergence.ts'

/** A run, as far as it is to be known whether it departed from its trace. */
export interface DepartingRun {
  readonly divergences: readonly Divergence[]
  readonly steps: readonly Pick<Step, 'step'>[]
}

/**
 * Where a run left the recorded one so that it did not make step `at` as it was recorded; undefined when it made it. Making it later than
 * recorded is making it, and so is reaching it through other checkpoints or after a call more.
 */
export function departureBefore({ divergences, steps }: DepartingRun, at: number): Divergence | undefined {
  const isMade = steps.some(({ step }) => step === at)
  const isChanged = divergences.some(({ cause, step }) => step === at && (cause === 'input' || cause === 'model-drift'))
  return isMade && !isChanged ? undefined : divergences[0]
}
