import type { Divergence } from '../divergence/divergence.ts'
import type { IncidentVerdict } from '../divergence/incident-verdict.ts'
import { printValue } from '../divergence/print-value.ts'
import { printCheck } from '../divergence/report/next-commands.ts'
import { differenceLines } from '../divergence/report/terminal/difference-lines.ts'
import { createLayout } from '../divergence/report/terminal/layout.ts'
import { type FailedCheck, nameOf } from '../divergence/report/reported-run.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { Departure } from '../replay/judge/incident/incident.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Check } from '../trace/run-row.ts'
import { judgeIncident } from './judge-incident.ts'
import type { MatchContext, MatchResult } from './matcher-types.ts'
import { mismatches } from './mismatches.ts'
import { departureOf, divergenceOf } from './same-run.ts'
import { holdsSubset } from './subset.ts'
import { wholeRunMatchers } from './whole-run-matchers.ts'

/** Whether a trace holds, and if not, why. */
export type Verdict =
  | { readonly holds: true; readonly incident?: IncidentVerdict }
  /** The replay differs, and nothing else was expected. */
  | { readonly holds: false; readonly why: 'diverged'; readonly divergence: Divergence }
  /** An incident golden does not hold. */
  | { readonly holds: false; readonly why: RedWord; readonly incident: IncidentVerdict }

type RedWord = Exclude<IncidentVerdict['word'], 'held'>

/** The status of a trace in counts and lists: an incident golden may also be `repeated`, `not exercised` or `failed`, which is red. */
export type HoldStatus = 'held' | 'not held' | 'repeated' | 'not exercised' | 'failed'

/** The word for a verdict. */
export function statusOf(verdict: Verdict): HoldStatus {
  if (verdict.holds) return 'held'
  return verdict.why === 'diverged' || verdict.why === 'nondeterminism' ? 'not held' : verdict.why
}

/**
 * Whether a replay meets the expectation of its trace: the same run; or, for an incident golden, a run that exercised the trigger without
 * repeating the incident. The same in every runner and on the command line.
 *
 * @throws GoldenrunError `GOLDENRUN_UNKNOWN_CHECK` for a check that is not a matcher for whole runs.
 */
export function judge(run: ReplayedRun): Verdict {
  const departure = departureOf(run)
  if (departure !== undefined) {
    const incident = judgeDeparture(run, departure)
    return incident.word === 'held' ? { holds: true, incident } : { holds: false, why: incident.word, incident }
  }
  const divergence = divergenceOf(run)
  return divergence === undefined ? { holds: true } : { holds: false, why: 'diverged', divergence }
}

/** The verdict of an incident golden on a run. @throws as `judge`. */
export function judgeDeparture(run: ReplayedRun, departure: Departure): IncidentVerdict {
  for (const check of departure.checks ?? []) matcherOf(check, run)
  return judgeIncident(run, departure, (check) => failedCheck(run, check))
}

/** The problem that a golden's check finds; undefined if the run passes. @throws as `judge`. */
export function failedCheck(run: ReplayedRun, check: Check): FailedCheck | undefined {
  const result = matcherOf(check, withoutAsked(run))()
  return result.pass !== isNegated(check) ? undefined : { call: printCheck(check, printValue), message: result.message() }
}

/**
 * A run with only the tool calls that ran. If an agent wraps its tools but does not do what the model asked for, it has not called the tool.
 *
 * @note The run's properties are computed lazily.
 */
function withoutAsked(run: ReplayedRun): ReplayedRun {
  if (!run.trace.steps.some(({ boundary }) => boundary === 'tool')) return run
  const toolCalls = { get: () => run.toolCalls.filter(({ source }) => source === 'ran') }
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(run), toolCalls }) as ReplayedRun
}

function isNegated({ not }: Check): boolean {
  return not === true
}

/** Checks are stored as JSON, so they contain no asymmetric matchers of a runner. */
const checkContext: MatchContext = {
  isNot: false,
  color: false,
  width: 100,
  matches: holdsSubset,
  difference: (received, expected) => differenceLines(mismatches(holdsSubset, received, expected), createLayout(checkContext)),
}

function matcherOf(check: Check, run: ReplayedRun): () => MatchResult {
  const { matcher: name, args = [] } = check
  const matcher = Object.entries(wholeRunMatchers).find(([candidate]) => candidate === name)?.[1]
  if (matcher !== undefined)
    return () => Reflect.apply(matcher, undefined, [{ ...checkContext, isNot: isNegated(check) }, run, ...args]) as MatchResult
  throw new GoldenrunError(
    'GOLDENRUN_UNKNOWN_CHECK',
    `The golden "${nameOf(run)}" names the check "${name}", which does not exist. The checks are: ${Object.keys(wholeRunMatchers).join(', ')}. ` +
      'Promote the incident again with one of them (--check), or correct the name in the golden.',
  )
}
