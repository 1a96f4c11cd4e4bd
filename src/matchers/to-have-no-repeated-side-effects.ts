import { describeCall, describeFunctionCall } from '../divergence/describe-call.ts'
import { cutText } from '../divergence/print-value.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import { type RepeatedSideEffect, repeatedSideEffects } from '../trace/side-effects.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { Matcher } from './matcher-types.ts'

/** No side effect was made twice. */
export const toHaveNoRepeatedSideEffects: Matcher<[]> = ({ width }, run) => {
  const repeated = repeatedSideEffects(run.sideEffects)
  return {
    pass: repeated.length === 0,
    message: () => {
      if (repeated.length === 0)
        return `Expected "${nameOf(run)}" to repeat a side effect, but it made each of its ${run.sideEffects.length} once.`
      const lines = repeated.map((repeat) => cutText(`    ${describe(repeat, run)}`, width))
      return [`Expected "${nameOf(run)}" to make each side effect once.`, ...lines].join('\n')
    },
  }
}

function describe({ step, first, name }: RepeatedSideEffect, { sideEffects }: ReplayedRun): string {
  const made = sideEffects.find((candidate) => candidate.step === step)
  if (made?.boundary === 'http') {
    const inferred = made.inferred === true ? ', an inferred side effect' : ''
    return `step ${step} repeats step ${first}: ${describeCall(made.boundary, made.name, made.input)}${inferred}`
  }
  const key = made?.idempotencyKey === undefined ? '' : ` (idempotency key ${made.idempotencyKey})`
  return `step ${step} repeats step ${first}: ${describeFunctionCall(name, made?.input)}${key}`
}
