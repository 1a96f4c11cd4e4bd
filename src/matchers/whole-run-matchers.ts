import type { Matcher } from './matcher-types.ts'
import { onWholeRun } from './on-whole-run.ts'
import type { RunMatchers } from './signatures.ts'
import { toHaveCalledTool } from './to-have-called-tool.ts'
import { toHaveCalledToolTimes } from './to-have-called-tool-times.ts'
import { toHaveCalledTools } from './to-have-called-tools.ts'
import { toHaveExecutedAsApproved } from './to-have-executed-as-approved.ts'
import { toHaveNoRepeatedSideEffects } from './to-have-no-repeated-side-effects.ts'
import { toHaveOutcome } from './to-have-outcome.ts'
import { toHaveOutcomeContaining } from './to-have-outcome-containing.ts'
import { toHaveReachedCheckpoint } from './to-have-reached-checkpoint.ts'
import { toHaveSentRequest } from './to-have-sent-request.ts'
import { toHaveSideEffects } from './to-have-side-effects.ts'
import { toMatchCheckpoints } from './to-match-checkpoints.ts'
import { toStayWithin } from './to-stay-within.ts'

/** Matchers by name, typed by their signatures. */
export type MatcherTable<Name extends Judging = Judging> = {
  readonly [Each in Name]: Matcher<Parameters<RunMatchers<unknown>[Each]>>
}

/** Matchers that examine one run and replay nothing. */
type Judging = Exclude<keyof RunMatchers<unknown>, 'toRerunIdentically'>

/** The matchers about a whole run, which therefore fail for a run that was stopped. */
export const wholeRunMatchers: MatcherTable<Exclude<Judging, 'toReplayWithoutDivergence' | 'toDivergeAt'>> = {
  toHaveCalledTools: onWholeRun('toHaveCalledTools', toHaveCalledTools),
  toHaveCalledTool: onWholeRun('toHaveCalledTool', toHaveCalledTool),
  toHaveCalledToolTimes: onWholeRun('toHaveCalledToolTimes', toHaveCalledToolTimes),
  toHaveReachedCheckpoint: onWholeRun('toHaveReachedCheckpoint', toHaveReachedCheckpoint),
  toMatchCheckpoints: onWholeRun('toMatchCheckpoints', toMatchCheckpoints),
  toHaveSideEffects: onWholeRun('toHaveSideEffects', toHaveSideEffects),
  toHaveNoRepeatedSideEffects: onWholeRun('toHaveNoRepeatedSideEffects', toHaveNoRepeatedSideEffects),
  toHaveExecutedAsApproved: onWholeRun('toHaveExecutedAsApproved', toHaveExecutedAsApproved),
  toHaveSentRequest: onWholeRun('toHaveSentRequest', toHaveSentRequest),
  toHaveOutcome: onWholeRun('toHaveOutcome', toHaveOutcome),
  toHaveOutcomeContaining: onWholeRun('toHaveOutcomeContaining', toHaveOutcomeContaining),
  toStayWithin: onWholeRun('toStayWithin', toStayWithin),
}
