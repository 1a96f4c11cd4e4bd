import { judge, statusOf } from '../matchers/holds.ts'
import type { MatchResult } from '../matchers/matcher-types.ts'
import { type RunnerMatcher, runnerMatchers } from '../matchers/runner-matchers.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { isThenable } from '../run/is-thenable.ts'
import { omitUndefined } from '../trace/json.ts'
import { toPassAtLeast } from '../travel/verify/to-pass-at-least.ts'
import { whatIsKnown } from './asserted-run.ts'
import { reportOn } from './golden-report.ts'
import { ASSERTION, noteOpenWork } from './test-work.ts'
import { keepRebase } from './keep-rebase.ts'
import { writeRedPage } from './pages/write-page.ts'
import { currentTestRunner } from './test-runner.ts'

const holds = runnerMatchers.toReplayWithoutDivergence

/**
 * Every matcher, in the form that `expect.extend` of Vitest and Jest expects. An assertion that a golden holds sends the result to the
 * reporter. With `-u`, it accepts the changes.
 */
export const tellingMatchers: Readonly<Record<string, RunnerMatcher>> = whereOpenIsNoted({
  ...runnerMatchers,
  toPassAtLeast(received, share) {
    const assert = (value: unknown): MatchResult => toPassAtLeast(this.isNot === true, value, share as number | undefined)
    return isThenable(received) ? Promise.resolve(received).then(assert) : assert(received)
  },
  toReplayWithoutDivergence(received, ...args) {
    const assert = (run: unknown): MatchResult | Promise<MatchResult> => {
      if (this.isNot !== true && typeof run === 'object' && run !== null) tellGolden(this, run as ReplayedRun)
      return holds.call(this, run, ...args)
    }
    return isThenable(received) ? Promise.resolve(received).then(assert) : assert(received)
  },
})

/** Notes what an assertion about a promise has not yet come to, since the test has to await it. */
function whereOpenIsNoted(matchers: Readonly<Record<string, RunnerMatcher>>): Readonly<Record<string, RunnerMatcher>> {
  const noted = (matcher: RunnerMatcher): RunnerMatcher =>
    function (...args) {
      const result = matcher.apply(this, args)
      return isThenable(result) ? noteOpenWork(ASSERTION, () => Promise.resolve(result)) : result
    }
  return Object.fromEntries(Object.entries(matchers).map(([name, matcher]) => [name, noted(matcher)]))
}

function tellGolden(assertion: object, run: ReplayedRun): void {
  const runner = currentTestRunner()
  const about = whatIsKnown(run)
  if (runner?.hasReporter() !== true || about === undefined) return
  const { name, file, hasOptions, rebase, refusal, isRecorded, accept } = about
  const kept = rebase && keepRebase(rebase)
  const of = { name, file, ...omitUndefined({ hasOptions, rebase: kept, refusal }) }
  accept?.()
  const verdict = judge(run)
  if (!verdict.holds)
    return runner.tell(assertion, {
      ...of,
      status: statusOf(verdict),
      report: reportOn(run, verdict),
      ...writeRedPage(run, verdict, { test: testNameOf(assertion) }),
    })
  runner.tell(assertion, { ...of, status: rebase !== undefined ? 'rebased' : isRecorded ? 'recorded' : 'held' })
}

/** Returns the test that calls a matcher: Vitest and Jest pass its name to matchers. */
function testNameOf(assertion: object): string | undefined {
  return (assertion as { readonly currentTestName?: string }).currentTestName
}
