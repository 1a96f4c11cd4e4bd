import type { Trace } from '../trace/trace.ts'
import type { ReplaySettings } from './contract/replay-options.ts'
import type { ReplayedRun } from './contract/replayed-run.ts'
import { EarlierRunError } from './earlier-run-error.ts'
import { readEarlier } from './traces/earlier-goldens.ts'
import { runOutside } from '../run/scope.ts'

/**
 * Brings the process to where it was when a run began: replays the earlier runs of its conversation, in order.
 *
 * @param after The earlier runs. Default: those that a golden follows.
 * @param replayOne Replays one of them, with the same agent and context.
 * @throws EarlierRunError if one of them does not hold: then the run itself would tell nothing.
 */
export async function replayEarlier(
  trace: Trace,
  after: readonly Trace[] | undefined,
  settings: ReplaySettings,
  replayOne: (earlier: Trace, settings: ReplaySettings) => Promise<ReplayedRun>,
): Promise<void> {
  const isAlone = after === undefined && trace.header.golden?.follows === undefined
  if (isAlone) return
  for (const earlier of after ?? (await runOutside(() => readEarlier(trace)))) {
    const run = await replayOne(earlier, toEarlier(settings))
    if (run.divergences.length > 0 || run.outcome.status === 'stopped') throw new EarlierRunError(trace, run)
  }
}

/** What is meant for the last run only is left out: an incident's answers, a fork's edits, the schema of what it returns. */
function toEarlier(settings: ReplaySettings): ReplaySettings {
  const { rules, ambient, mute, redact, live, guard, misused, substitutes, handlers, allowModelDrift, departure, running } = settings
  const answers = departure === undefined ? settings.answers : {}
  const same = { rules, ambient, mute, redact, live, guard, misused, substitutes, handlers, allowModelDrift, answers, running }
  return { ...same, mode: 'stop', schema: {} }
}
