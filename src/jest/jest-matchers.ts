import type { MatchResult } from '../matchers/matcher-types.ts'
import { tellingMatchers } from '../goldens/telling-matchers.ts'
import type { RunnerMatcher } from '../matchers/runner-matchers.ts'
import { isThenable } from '../run/is-thenable.ts'

/** Every matcher, in the form that `expect.extend` of Jest expects. */
export const jestMatchers: Readonly<Record<string, RunnerMatcher>> = Object.fromEntries(
  Object.entries(tellingMatchers).map(([name, matcher]) => [name, withWholeMessage(matcher)]),
)

function withWholeMessage(matcher: RunnerMatcher): RunnerMatcher {
  return function (received, ...args) {
    const result = matcher.call(this, received, ...args)
    return isThenable(result) ? Promise.resolve(result).then(keepWhole) : keepWhole(result)
  }
}

function keepWhole({ pass, message }: MatchResult): MatchResult {
  return { pass, message: () => withoutStackLines(message()) }
}

/**
 * Inserts an invisible character into lines of a message that look like stack lines (`    at        src/agent.ts:48:22`), because Jest would take
 * the first of them for the start of the stack.
 */
export function withoutStackLines(message: string): string {
  return message.replaceAll(/^(\s*at)(?=\s)/gm, '$1\u2060')
}
