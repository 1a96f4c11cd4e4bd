import type { Divergence } from '../divergence/divergence.ts'
import type { IncidentVerdict } from '../divergence/incident-verdict.ts'
import { printValue } from '../divergence/print-value.ts'
import { differenceLines } from '../divergence/report/terminal/difference-lines.ts'
import { createLayout } from '../divergence/report/terminal/layout.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Check } from '../trace/run-row.ts'
import { judgeIncident } from './judge-incident.ts'
import type { MatchContext, MatchResult } from './matcher.ts'
import { mismatches } from './mismatches.ts'
import { type Departure, departureOf, divergenceOf } from './same-run.ts'
import { holdsSubset } from './subset.ts'
import { wholeRunMatchers } from './whole-run-matchers.ts'

/** Whether a trace holds, and if it does not, why. */
export type Verdict =
  | { readonly holds: true; readonly incident?: IncidentVerdict }
  /** The replay differs, and nothing else was expected. */
  | { readonly holds: false; readonly why: 'diverged'; readonly divergence: Divergence }
  /** The golden of an incident does not hold. */
  | { readonly holds: false; readonly why: RedWord; readonly incident: IncidentVerdict }

type RedWord = Exclude<IncidentVerdict['word'], 'held'>

/** What became of a trace, as counts and lists say it: the golden of an incident may be `repeated`, `not exercised` or `failed`, which is red. */
export type HoldStatus = 'held' | 'not held' | 'repeated' | 'not exercised' | 'failed'

/** The word for a verdict. */
export function statusOf(verdict: Verdict): HoldStatus {
  if (verdict.holds) return 'held'
  return verdict.why === 'diverged' || verdict.why === 'nondeterminism' ? 'not held' : verdict.why
}

/**
 * Whether a replay is what its trace expects: the same run; or, for the golden of an incident, one that exercised its trigger and departed from
 * what went wrong. The same in every runner and on the command line.
 *
 * @throws GoldenrunError `GOLDENRUN_UNKNOWN_CHECK` for a check that is none of the matchers about whole runs.
 */
export function judge(run: ReplayedRun): Verdict {
  const departure = departureOf(run)
  if (departure !== undefined) return judgeDeparture(run, departure)
  const divergence = divergenceOf(run)
  return divergence === undefined ? { holds: true } : { holds: false, why: 'diverged', divergence }
}

function judgeDeparture(run: ReplayedRun, departure: Departure): Verdict {
  const checked = withoutAsked(run)
  for (const check of departure.checks ?? []) matcherOf(check, checked)
  const incident = judgeIncident(run, departure, (check) => {
    const result = matcherOf(check, checked)()
    return result.pass ? undefined : { call: describe(check), message: result.message() }
  })
  return incident.word === 'held' ? { holds: true, incident } : { holds: false, why: incident.word, incident }
}

/**
 * A run whose tool calls are those that ran: an agent that wraps its tools and does not carry out what the model asked for has not called the tool.
 *
 * @note The run's properties are worked out when they are first asked for.
 */
function withoutAsked(run: ReplayedRun): ReplayedRun {
  if (!run.trace.steps.some(({ boundary }) => boundary === 'tool')) return run
  const toolCalls = { get: () => run.toolCalls.filter(({ source }) => source === 'ran') }
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(run), toolCalls }) as ReplayedRun
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
