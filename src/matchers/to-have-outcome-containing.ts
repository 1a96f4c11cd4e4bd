import { printValue } from '../divergence/print-value.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { OptionsError } from '../trace/errors/options-error.ts'
import { toRecordedError } from '../trace/recorded-error.ts'
import { toRecorded } from '../trace/values.ts'
import type { Matcher } from './matcher-types.ts'

/** What the run returned or threw contains this text. */
export const toHaveOutcomeContaining: Matcher<[text: string]> = (context, run, text) => {
  if (typeof text !== 'string' || text === '')
    throw new OptionsError('toHaveOutcomeContaining', 'text', `has to be a text, got ${printValue(text, 60)}.`)
  const ended = endOf(run)
  const pass = holds(toRecorded(ended.value), text)
  return {
    pass,
    message: () =>
      `Expected what "${nameOf(run)}" ${ended.how} ${pass ? 'not ' : ''}to contain ${JSON.stringify(text)}. It ${ended.how} ${printValue(ended.value, context.width)}.`,
  }
}

function endOf({ outcome }: ReplayedRun): { readonly how: string; readonly value: unknown } {
  if (outcome.status === 'threw') return { how: 'threw', value: toRecordedError(outcome.error) }
  return { how: 'returned', value: outcome.status === 'returned' ? outcome.output : undefined }
}

/** Whether a text is in one of the texts of a value: in a field, an item, or the whole. */
function holds(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text)
  return typeof value === 'object' && value !== null && Object.values(value).some((field) => holds(field, text))
}
