import type { Cause, Divergence } from '../../divergence/divergence.ts'
import type { OtherReplay } from '../../divergence/report/reported-run.ts'
import { type CallSite, isCertain } from '../../run/call-site.ts'
import { canonical } from '../../trace/hash.ts'
import type { ReplayedRun } from '../contract/replayed-run.ts'
import type { ReplayOptions } from '../contract/replay-options.ts'

/** What another replay of the same trace with the same agent found. */
export interface FoundElsewhere {
  /** Undefined if it held. */
  readonly identity: string | undefined
  readonly divergences: readonly Divergence[]
}

/** Whether a client has hidden the agent's own line of a reported divergence. */
export function lacksLines(run: ReplayedRun): boolean {
  return isTold(run) && run.divergences.some(lacksLine)
}

/**
 * Takes the agent's own lines from another replay, which looked for them. The findings stay as they are: if the other replay did something else, the
 * report says so in a note.
 */
export function withLinesOf<Run extends ReplayedRun>(first: Run, other: FoundElsewhere): Run {
  const sites = new Map(other.divergences.flatMap((divergence) => (divergence.site ? [[placeOf(divergence), divergence.site]] : [])))
  const lined = withDivergences(
    first,
    first.divergences.map((divergence) => {
      const site = lacksLine(divergence) ? sites.get(placeOf(divergence)) : undefined
      return site === undefined || isOneLine(divergence.site, site) ? divergence : { ...divergence, site }
    }),
  )
  if (other.identity === identityOf(first)) return lined
  const [divergence] = other.divergences
  const [own] = first.divergences
  // How far an agent gets after the first difference may depend on real time.
  if (divergence !== undefined && own !== undefined && isAtOnePlace(divergence, own)) return lined
  const otherReplay: OtherReplay = { ...(divergence && { divergence }) }
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(lined), otherReplay: { value: otherReplay } }) as Run
}

/** Whether running the agent again has no outside effects: nothing is live, no tool runs, and no function of the test answers. */
export function canReplayAgain({ live = [], tools = 'stub', handlers = [], answers = {} }: ReplayOptions): boolean {
  const modes = typeof tools === 'object' ? Object.values(tools) : [tools]
  const isFunction = (answer: unknown): boolean => typeof answer === 'function'
  return live.length === 0 && handlers.length === 0 && modes.every((mode) => mode === 'stub') && !Object.values(answers).some(isFunction)
}

/** Whether divergences are reported: an agent that avoids an incident, as it should, diverges without a report. */
function isTold({ trace, outcome }: ReplayedRun): boolean {
  return trace.header.golden?.expect.replay !== 'departs' || outcome.status === 'stopped'
}

/** Whether a divergence is something that the agent did, and the agent's own innermost line is not known for certain. */
function lacksLine({ cause, site }: Divergence): boolean {
  return site === undefined ? madeByAgent.has(cause) : !isCertain(site)
}

const madeByAgent: ReadonlySet<Cause> = new Set([
  'input',
  'unexpected-call',
  'missing-call',
  'order',
  'time-limit',
  'model-drift',
  'unrecorded-contact',
])

function isOneLine(one: CallSite | undefined, other: CallSite): boolean {
  return one?.file === other.file && one.line === other.line
}

/**
 * A text that is equal for two replays if they did the same, and differ from their trace in the same way.
 *
 * @note How far an agent gets after it was stopped depends on real time, so it is not compared.
 */
export function identityOf(run: ReplayedRun): string {
  return JSON.stringify([run.divergences.map(placeOf), run.outcome.status === 'stopped' ? receivedBy(run) : run.hash])
}

/** Where the agent was stopped. */
function receivedBy({ divergences }: ReplayedRun): string {
  return canonical(divergences[0]?.received)
}

/** Whether two divergences are the same kind of difference at the same place. */
export function isAtOnePlace(one: Divergence, other: Divergence): boolean {
  return placeOf(one) === placeOf(other)
}

function placeOf({ cause, step, position, name, parts }: Divergence): string {
  return JSON.stringify([cause, step, position, name, parts])
}

/**
 * The same run, with different divergences.
 *
 * @note The run's other properties are computed lazily, so they must not be read here.
 */
export function withDivergences<Run extends ReplayedRun>(run: Run, divergences: readonly Divergence[]): Run {
  const [divergence] = divergences
  const outcome = run.outcome.status === 'stopped' && divergence !== undefined ? { ...run.outcome, divergence } : run.outcome
  const changed = { divergences: { value: divergences, enumerable: true }, outcome: { value: outcome, enumerable: true } }
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(run), ...changed }) as Run
}
