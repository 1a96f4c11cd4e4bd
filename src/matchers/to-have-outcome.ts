import { printValue } from '../divergence/print-value.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import { toRecordedError } from '../trace/recorded-error.ts'
import type { ExpectedOutcome, Matcher } from './matcher-types.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { isJsonObject } from '../trace/json.ts'
import { checkKnownOptions } from '../trace/errors/options-error.ts'

/** The run ended like this. */
export const toHaveOutcome: Matcher<[expected: ExpectedOutcome]> = (context, run, expected) => {
  if (isJsonObject(expected) && Object.getPrototypeOf(expected) === Object.prototype)
    checkKnownOptions('toHaveOutcome', expected, ['status', 'output', 'error'])
  const ended = outcomeOf(run)
  const pass = context.matches(ended, expected)
  return {
    pass,
    message: () => {
      const wanted = printValue(expected, context.width)
      if (pass) return `Expected "${nameOf(run)}" not to end with ${wanted}, but it did.`
      const received = `It ended with ${printValue(ended, context.width)}.`
      return [`Expected "${nameOf(run)}" to end with ${wanted}.`, received, ...context.difference(ended, expected)].join('\n')
    },
  }
}

/** The outcome in compared form: an error by name, message and code. */
function outcomeOf({ outcome }: ReplayedRun): unknown {
  if (outcome.status === 'returned') return { status: 'returned', output: outcome.output }
  if (outcome.status === 'threw') return { status: 'threw', error: toRecordedError(outcome.error) }
  return { status: outcome.status }
}
