import type { Cause, Divergence } from '../../divergence/divergence.ts'
import { withAsyncStacks } from '../../run/async-stacks.ts'
import { type CallSite, isCertain } from '../../run/call-site.ts'
import { canonical } from '../../trace/hash.ts'
import type { ReplayedRun } from '../contract/replayed-run.ts'
import { differenceBetween } from '../compare/compare-runs.ts'
import type { ReplayOptions } from '../contract/replay-options.ts'

/**
 * If a client has hidden the agent's own line, adds it to each divergence of a failed replay: replays again with asynchronous stacks, which
 * are too slow for every replay. If the second replay differs, that is the verdict.
 *
 * @param again Replays the same trace with the same agent and options, and a new context.
 */
export async function withAgentLines<Run extends ReplayedRun>(first: Run, again: () => Promise<ReplayedRun>): Promise<Run> {
  if (!isTold(first) || !first.divergences.some(lacksLine)) return first
  const second = await withAsyncStacks(again)
  if (identityOf(first) !== identityOf(second)) return withDivergences(first, await differing(first, second))
  return withDivergences(
    first,
    first.divergences.map((divergence, index) => {
      const site = second.divergences[index]?.site
      return lacksLine(divergence) && site !== undefined && !isOneLine(divergence.site, site) ? { ...divergence, site } : divergence
    }),
  )
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

const madeByAgent: ReadonlySet<Cause> = new Set(['input', 'unexpected-call', 'order', 'time-limit', 'model-drift', 'unrecorded-contact'])

function isOneLine(one: CallSite | undefined, other: CallSite): boolean {
  return one?.file === other.file && one.line === other.line
}

/**
 * A text that is equal for two replays if they did the same, and differ from their trace in the same way.
 *
 * @note How far an agent gets after it was stopped depends on real time, so it is not compared.
 */
export function identityOf(run: ReplayedRun): string {
  return JSON.stringify([placesOf(run), run.outcome.status === 'stopped' ? receivedBy(run) : run.hash])
}

/** Where the agent was stopped. */
function receivedBy({ divergences }: ReplayedRun): string {
  return canonical(divergences[0]?.received)
}

function placesOf({ divergences }: ReplayedRun): string {
  return JSON.stringify(divergences.map(({ cause, step, position, name, parts }) => [cause, step, position, name, parts]))
}

async function differing(first: ReplayedRun, second: ReplayedRun): Promise<Divergence[]> {
  const difference = await differenceBetween(first, second)
  return [difference, ...first.divergences.map((divergence) => ({ ...divergence, consequence: true }))]
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
