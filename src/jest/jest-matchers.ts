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
 * Prevents Jest from taking a message's first line that looks like a stack line (`    at        src/agent.ts:48:22`) for the start of the stack.
 * Inserts an invisible character.
 */
export function withoutStackLines(message: string): string {
  return message.replaceAll(/^(\s*at)(?=\s)/gm, '$1\u2060')
}
