import { nameOf } from '../divergence/report/reported-run.ts'
import { checkKnownOptions, OptionsError } from '../trace/errors/options-error.ts'
import { alignExactly, alignInAnyOrder, alignInOrder } from './align-calls.ts'
import { describeCalls, numberedList } from './call-list.ts'
import { checkExpectedCalls, describeExpected, type MadeCall } from './expected-call.ts'
import type { ExpectedCall, MatchContext, Matcher, SequenceOptions } from './matcher-types.ts'

const NAME = 'toHaveCalledTools'

/** The agent called these tools. */
export const toHaveCalledTools: Matcher<[sequence: readonly ExpectedCall[], options?: SequenceOptions]> = (
  context,
  run,
  sequence,
  options = {},
) => {
  checkExpectedCalls(NAME, sequence)
  const kind = kindOf(options)
  const calls = run.toolCalls
  const { missing, surplus } = kinds[kind].align(context, sequence, calls)
  return {
    pass: missing.length === 0 && (kinds[kind].allowsExtra || surplus.length === 0),
    message: () => {
      const remarkFor = (indexes: readonly number[], remark: string): Map<number, string> =>
        new Map(indexes.map((index) => [index, remark]))
      const isExtraNamed = !context.isNot && !kinds[kind].allowsExtra
      return [
        `Expected the tool calls of "${nameOf(run)}" ${context.isNot ? 'not ' : ''}to be ${kinds[kind].words}:`,
        numberedList(sequence.map(describeExpected), remarkFor(missing, kinds[kind].missing), context.width),
        'They were:',
        numberedList(describeCalls(calls), isExtraNamed ? remarkFor(surplus, 'not expected') : new Map(), context.width),
        ...argumentsDifference(context, sequence[missing[0] ?? -1], calls[surplus[0] ?? -1]),
      ].join('\n')
    },
  }
}

/** How the call that was made instead of an expected one differs, if it is a call of the same tool. */
function argumentsDifference(context: MatchContext, expected: ExpectedCall | undefined, made: MadeCall | undefined): string[] {
  if (made === undefined || expected === undefined || typeof expected === 'string' || expected.name !== made.name) return []
  return [`The arguments of ${made.name} differ:`, ...context.difference(made.args, expected.args)]
}

const kinds = {
  exact: { words: 'these, in this order', missing: 'not called here', allowsExtra: false, align: alignExactly },
  subsequence: {
    words: 'these, in this order, with others between them',
    missing: 'not called from here on',
    allowsExtra: true,
    align: alignInOrder,
  },
  any: { words: 'these, in any order', missing: 'not called', allowsExtra: false, align: alignInAnyOrder },
  atLeast: { words: 'at least these, in any order', missing: 'not called', allowsExtra: true, align: alignInAnyOrder },
} as const

function kindOf(options: SequenceOptions): keyof typeof kinds {
  checkKnownOptions(NAME, options, ['order', 'extra'])
  const { order = 'exact', extra = false } = options
  if (order !== 'exact' && order !== 'subsequence' && order !== 'any') {
    throw new OptionsError(NAME, 'order', `has to be "exact", "subsequence" or "any", got ${JSON.stringify(order)}.`)
  }
  if (extra && order === 'exact')
    throw new OptionsError(NAME, 'extra', 'requires the order "any"; "subsequence" allows other calls anyway.')
  return order === 'any' && extra ? 'atLeast' : order
}
