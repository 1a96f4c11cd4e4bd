import type { Divergence } from './divergence.ts'

/** A place in a run where a replay is compared with its trace. */
export type RunPlace =
  /** The input of a recorded step. */
  | { readonly step: number }
  /** The state of a checkpoint, by its name. */
  | { readonly checkpoint: string }
  /** The value that the run returned or threw. */
  | 'outcome'

/** A place in words: `step 3`, `checkpoint "sent"`, `the outcome`. */
export function tellPlace(place: RunPlace): string {
  if (place === 'outcome') return 'the outcome'
  return 'step' in place ? `step ${place.step}` : `checkpoint "${place.checkpoint}"`
}

/** A position among the recorded steps in words: `step 3`, `after step 3`, `before the first step`. */
export function tellPosition({ step, position }: Pick<Divergence, 'step' | 'position'>): string {
  if (position === 'at') return `step ${step}`
  return step === 0 ? 'before the first step' : `after step ${step}`
}
