import { departureBefore } from '../divergence/departure.ts'
import type { Divergence } from '../divergence/divergence.ts'
import { printValue } from '../divergence/print-value.ts'
import { differenceLines } from '../divergence/report/terminal/difference-lines.ts'
import { createLayout } from '../divergence/report/terminal/layout.ts'
import { nameOf, type FailedCheck } from '../divergence/report/reported-run.ts'
import type { ReplayedRun } from '../replay/replayed-run.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Check } from '../trace/run-row.ts'
import type { Trace } from '../trace/trace.ts'
import type { MatchContext, MatchResult } from './matcher.ts'
import { mismatches } from './mismatches.ts'
import { type Departure, departureOf, divergenceOf } from './same-run.ts'
import { holdsSubset } from './subset.ts'
import { wholeRunMatchers } from './whole-run-matchers.ts'

/** Whether a trace holds, and if it does not, why. */
export type Verdict =
  | { readonly holds: true }
  /** The replay differs, and nothing else was expected. */
  | { readonly holds: false; readonly why: 'diverged'; readonly divergence: Divergence }
  /** The agent departed from the incident, and met a call that has no answer. */
  | { readonly holds: false; readonly why: 'stopped'; readonly divergence: Divergence }
  /** The agent made the step at which the incident happened. */
  | { readonly holds: false; readonly why: 'repeated'; readonly at: number }
  /** The agent departed from the incident, and does not pass a check of the golden. */
  | { readonly holds: false; readonly why: 'check-failed'; readonly check: FailedCheck }

/**
 * Whether a replay is what its trace expects: the same run, or, for the golden of an incident, one that departed from it, went on to its end,
 * and passes the golden's checks. The same in every runner and on the command line.
 *
 * @throws GoldenrunError `GOLDENRUN_UNKNOWN_CHECK` for a check that is none of the matchers about whole runs.
 */
export function judge(run: ReplayedRun): Verdict {
  const departure = departureOf(run)
  if (departure !== undefined) return judgeDeparture(run, departure)
  const divergence = divergenceOf(run)
  return divergence === undefined ? { holds: true } : { holds: false, why: 'diverged', divergence }
}

function judgeDeparture(run: ReplayedRun, { at, checks }: Departure): Verdict {
  const known = (checks ?? defaultChecks(run.trace)).map((check) => ({ check, matcher: matcherOf(check, run) }))
  if (run.outcome.status === 'stopped') return { holds: false, why: 'stopped', divergence: run.outcome.divergence }
  if (departureBefore(run, at) === undefined) return { holds: false, why: 'repeated', at }
  for (const { check, matcher } of known) {
    const result = matcher()
    if (!result.pass) return { holds: false, why: 'check-failed', check: { call: describe(check), message: result.message() } }
  }
  return { holds: true }
}

/** What a departed run has to pass where the golden does not say: an incident in which a side effect was repeated must not repeat one. */
function defaultChecks({ rows }: Pick<Trace, 'rows'>): readonly Check[] {
  const isRepeated = rows.some((row) => row.kind === 'note' && row.what === 'repeated-side-effect')
  return isRepeated ? [{ matcher: 'toHaveNoRepeatedSideEffects' }] : []
}

/** Checks are kept as JSON, so that no runner's asymmetric matchers are in them. */
const checkContext: MatchContext = {
  isNot: false,
  color: false,
  width: 100,
  matches: holdsSubset,
  difference: (received, expected) => differenceLines(mismatches(holdsSubset, received, expected), createLayout(checkContext)),
}

function matcherOf({ matcher: name, args = [] }: Check, run: ReplayedRun): () => MatchResult {
  const matcher = Object.entries(wholeRunMatchers).find(([candidate]) => candidate === name)?.[1]
  if (matcher !== undefined) return () => Reflect.apply(matcher, undefined, [checkContext, run, ...args]) as MatchResult
  throw new GoldenrunError(
    'GOLDENRUN_UNKNOWN_CHECK',
    `The golden "${nameOf(run)}" asks for the check "${name}", which is none. Checks are: ${Object.keys(wholeRunMatchers).join(', ')}. ` +
      'Promote the incident again with one of them (--check), or correct the name in the golden.',
  )
}

function describe({ matcher, args = [] }: Check): string {
  return `${matcher}(${args.map((arg) => printValue(arg)).join(', ')})`
}
