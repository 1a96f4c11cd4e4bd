import { type Cause, causes } from '../divergence/divergence.ts'
import { printValue } from '../divergence/print-value.ts'
import { renderDivergences } from '../divergence/create-report.ts'
import { describeDivergence } from '../divergence/report/cause-words.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import { OptionsError } from '../trace/errors/options-error.ts'
import type { Matcher } from './matcher-types.ts'

const NAME = 'toDivergeAt'

/** The replay first differs at this step, and for this cause. */
export const toDivergeAt: Matcher<[step: number, cause?: Cause]> = ({ isNot, color, width }, run, step, cause) => {
  check(step, cause)
  const [first] = run.divergences
  return {
    pass: first !== undefined && first.step === step && (cause === undefined || first.cause === cause),
    message: () => {
      const wanted = `Expected "${nameOf(run)}" ${isNot ? 'not ' : ''}to diverge at step ${step}${cause === undefined ? '' : ` (${cause.replaceAll('-', ' ')})`}`
      if (first === undefined) return `${wanted}, but it did not diverge.`
      return `${wanted}, but the first to diverge is ${describeDivergence(first)}.\n\n${renderDivergences(run, { color, width })}`
    },
  }
}

function check(step: unknown, cause: unknown): void {
  if (typeof step !== 'number' || !Number.isInteger(step) || step < 0) {
    throw new OptionsError(NAME, 'step', `has to be the number of a step, or 0 for before the first, got ${printValue(step, 60)}.`)
  }
  if (cause === undefined || causes.some((known) => known === cause)) return
  throw new OptionsError(NAME, 'cause', `has to be one of ${causes.join(', ')}, got ${printValue(cause, 60)}.`)
}
