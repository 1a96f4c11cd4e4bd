import { nameOf } from '../divergence/report/reported-run.ts'
import { alignExactly } from './align-calls.ts'
import { describeCalls, numberedList } from './call-list.ts'
import { checkExpectedCalls, describeExpected } from './expected-call.ts'
import type { ExpectedCall, Matcher } from './matcher-types.ts'

/** These are the run's side effects, in this order, and there are no others. */
export const toHaveSideEffects: Matcher<[sideEffects: readonly ExpectedCall[]]> = (context, run, expected) => {
  checkExpectedCalls('toHaveSideEffects', expected)
  const made = run.sideEffects.map(({ name, input }) => ({ name, args: input }))
  const inferred = run.sideEffects.flatMap(({ inferred: isInferred }, index) => (isInferred === true ? [index] : []))
  const { missing, surplus } = alignExactly(context, expected, made)
  return {
    pass: missing.length === 0 && surplus.length === 0,
    message: () =>
      [
        `Expected the side effects of "${nameOf(run)}" ${context.isNot ? 'not ' : ''}to be these, in this order:`,
        numberedList(expected.map(describeExpected), new Map(missing.map((index) => [index, 'not made here'])), context.width),
        'They were:',
        numberedList(describeCalls(made), remarks(inferred, surplus), context.width),
      ].join('\n'),
  }
}

function remarks(inferred: readonly number[], surplus: readonly number[]): Map<number, string> {
  // Unexpected calls first: a long list starts there.
  const lines = new Map(
    surplus.map((index) => [index, inferred.includes(index) ? 'inferred from its method, not expected' : 'not expected']),
  )
  for (const index of inferred) if (!lines.has(index)) lines.set(index, 'inferred from its method')
  return lines
}
