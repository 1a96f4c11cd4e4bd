import { findRepeatedSideEffects } from '../replay/goldens/promotion/expect-departure.ts'
import { sideEffectsOf } from '../trace/side-effects.ts'
import type { Trace } from '../trace/trace.ts'
import { count, formatDuration } from './units.ts'

/** Formats the totals of a run: `Took 1.2 s: 5 steps (3 model, 2 tool), 1 side effect, 520 input and 31 output tokens.` */
export function formatTotals({ header, steps, end }: Pick<Trace, 'header' | 'steps' | 'end'>): string {
  const { inputTokens, outputTokens } = end?.usage ?? { inputTokens: 0, outputTokens: 0 }
  const writes = sideEffectsOf(steps, header)
  const inferred = writes.filter((made) => made.inferred === true).length
  const repeated = findRepeatedSideEffects({ header, steps }).length
  const marks = [...(inferred === 0 ? [] : [`${inferred} inferred`]), ...(repeated === 0 ? [] : [`${repeated} repeated`])]
  const parts = [
    `${count(steps.length, 'step')}${describeBoundaries(steps)}`,
    ...(writes.length === 0 ? [] : [`${count(writes.length, 'side effect')}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`]),
    ...(inputTokens + outputTokens === 0 ? [] : [`${inputTokens} input and ${outputTokens} output tokens`]),
  ]
  return `${end === undefined ? 'Until then' : `Took ${formatDuration(end.at)}`}: ${parts.join(', ')}.`
}

/** Formats the number of steps of each boundary: ` (3 model, 2 tool)`; empty without steps. */
export function describeBoundaries(steps: Trace['steps']): string {
  const counts = Map.groupBy(steps, ({ boundary }) => boundary)
  return counts.size === 0 ? '' : ` (${[...counts].map(([boundary, of]) => `${of.length} ${boundary}`).join(', ')})`
}
