import { isExpected, type MadeCall } from './expected-call.ts'
import type { ExpectedCall, MatchContext } from './matcher-types.ts'

/** The calls that remain unmatched after aligning expected calls with made ones, by index. */
export interface Alignment {
  readonly missing: readonly number[]
  readonly surplus: readonly number[]
}

/** Compares call by call: the first difference and the rest of the longer list are unmatched. */
export function alignExactly(context: MatchContext, expected: readonly ExpectedCall[], made: readonly MadeCall[]): Alignment {
  const length = Math.max(expected.length, made.length)
  for (let index = 0; index < length; index += 1) {
    const [wanted, call] = [expected[index], made[index]]
    if (wanted !== undefined && call !== undefined && isExpected(context, wanted, call)) continue
    return { missing: wanted === undefined ? [] : [index], surplus: call === undefined ? [] : [index] }
  }
  return { missing: [], surplus: [] }
}

/** Finds expected calls in order, with other calls in between. The first that is not found is missing. */
export function alignInOrder(context: MatchContext, expected: readonly ExpectedCall[], made: readonly MadeCall[]): Alignment {
  let next = 0
  for (const [index, wanted] of expected.entries()) {
    const found = made.findIndex((call, at) => at >= next && isExpected(context, wanted, call))
    if (found === -1) return { missing: [index], surplus: [] }
    next = found + 1
  }
  return { missing: [], surplus: [] }
}

/**
 * Pairs as many expected calls as possible with one made call each. An expected name does not take a call that only a more specific
 * expectation can match.
 */
export function alignInAnyOrder(context: MatchContext, expected: readonly ExpectedCall[], made: readonly MadeCall[]): Alignment {
  const takenBy = new Map<number, number>()
  const candidates = expected.map((wanted) => made.flatMap((call, index) => (isExpected(context, wanted, call) ? [index] : [])))
  // Augmenting paths: a taken call is released if its taker finds another one.
  const take = (wanted: number, tried: Set<number>): boolean => {
    for (const call of candidates[wanted] ?? []) {
      if (tried.has(call)) continue
      tried.add(call)
      const owner = takenBy.get(call)
      if (owner === undefined || take(owner, tried)) {
        takenBy.set(call, wanted)
        return true
      }
    }
    return false
  }
  const missing = expected.flatMap((_, index) => (take(index, new Set()) ? [] : [index]))
  return { missing, surplus: made.flatMap((_, index) => (takenBy.has(index) ? [] : [index])) }
}
