import { renderDivergences } from '../divergence/create-report.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import { checkTimes, replayAgain } from '../replay/rerun.ts'
import { checkKnownOptions, OptionsError } from '../trace/errors/options-error.ts'
import type { Matcher, MatchResult, RerunTimes } from './matcher-types.ts'
import { cannotTell } from './on-whole-run.ts'

const NAME = 'toRerunIdentically'

/** The agent does the same each time it is replayed. */
export const toRerunIdentically: Matcher<[options: RerunTimes], Promise<MatchResult>> = async (context, run, options) => {
  if (typeof options !== 'object' || options === null)
    throw new OptionsError(NAME, 'options', 'have to have the number of replays: { times: 20 }.')
  checkKnownOptions(NAME, options, ['times'])
  checkTimes(NAME, options.times)
  if (run.outcome.status === 'stopped') {
    return cannotTell(context, () => {
      const why = `${NAME} cannot decide: the replay of "${nameOf(run)}" was stopped, and a partial run proves nothing.`
      return `${why}\n\n${renderDivergences(run, context)}`
    })
  }
  const { replays, hashes, divergence } = await replayAgain(run, options.times - 1)
  return {
    pass: divergence === undefined,
    message: () => {
      const wanted = `Expected "${nameOf(run)}" ${context.isNot ? 'not ' : ''}to do the same in ${replays.length} replays`
      if (divergence === undefined) return `${wanted}, but it did.`
      const report = renderDivergences({ ...run, divergences: [divergence] }, context)
      return `${wanted}, but they gave ${hashes.length} different runs.\n\n${report}`
    },
  }
}
