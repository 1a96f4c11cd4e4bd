import type { Divergence } from './divergence.ts'

/**
 * The last of some steps that is called before a divergence, or is the diverging step itself: the step to stop at on the way to it. Undefined if
 * the agent diverges before all of them.
 */
export function stepBefore(
  { cause, step, position }: Pick<Divergence, 'cause' | 'step' | 'position'>,
  steps: readonly number[],
): number | undefined {
  const isMissing = cause === 'missing-call'
  if (position === 'at' && !isMissing) return step
  return steps.filter((each) => (isMissing ? each < step : each <= step)).toSorted((one, other) => other - one)[0]
}
