import { printValue } from '../divergence/print-value.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import { toRecordedError } from '../trace/recorded-error.ts'
import type { ExpectedOutcome, Matcher } from './matcher-types.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'

/** The run ended like this. */
export const toHaveOutcome: Matcher<[expected: ExpectedOutcome]> = (context, run, expected) => {
  const ended = outcomeOf(run)
  const pass = context.matches(ended, expected)
  return {
    pass,
    message: () => {
      const wanted = printValue(expected, context.width)
      if (pass) return `Expected "${nameOf(run)}" not to end with ${wanted}, but it did.`
      return [`Expected "${nameOf(run)}" to end with ${wanted}.`, ...context.difference(ended, expected)].join('\n')
    },
  }
}

/** The outcome in compared form: an error by name, message and code. */
function outcomeOf({ outcome }: ReplayedRun): unknown {
  if (outcome.status === 'returned') return { status: 'returned', output: outcome.output }
  if (outcome.status === 'threw') return { status: 'threw', error: toRecordedError(outcome.error) }
  return { status: outcome.status }
}
