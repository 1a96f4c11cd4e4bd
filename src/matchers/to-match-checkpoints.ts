import { describeDivergence, explain } from '../divergence/report/cause-words.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import { differenceLines } from '../divergence/report/terminal/difference-lines.ts'
import { createLayout } from '../divergence/report/terminal/layout.ts'
import type { Matcher } from './matcher-types.ts'

/** The agent reached the checkpoints of the trace, with their states. */
export const toMatchCheckpoints: Matcher<[]> = (context, run) => {
  const found = run.divergences.filter(({ cause }) => cause === 'checkpoint')
  return {
    pass: found.length === 0,
    message: () => {
      const wanted = `Expected "${nameOf(run)}" ${context.isNot ? 'not ' : ''}to reach the recorded checkpoints`
      if (found.length === 0)
        return `${wanted}, but it reached ${run.checkpoints.length === 1 ? 'the one' : `all ${run.checkpoints.length}`} there.`
      const layout = createLayout(context)
      const lines = found.flatMap((divergence) => [
        `  ${describeDivergence(divergence)}: ${explain(divergence)}`,
        ...(divergence.expected === undefined || divergence.received === undefined ? [] : differenceLines(divergence.differences, layout)),
      ])
      return [`${wanted}.`, ...lines].join('\n')
    },
  }
}
