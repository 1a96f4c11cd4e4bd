import { describe } from 'vitest'
import { type DescribedGolden, describeTrace, noGoldenMatches, onceAsked, titleOf } from '../goldens/described-golden.ts'
import { readTrace } from '../replay/traces/read-trace.ts'
import { replay } from '../goldens/test-replay.ts'
import type { RunBy } from '../replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import type { RunSchema } from '../replay/contract/run-schema.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { matchGoldens } from '../stores/golden-pattern.ts'

/**
 * Describes tests for each golden whose name matches: `refund-*`, `support/**`, `{refund,cancel}-*`; `*` is anything but a slash. A golden
 * is replayed once for all of its tests, when the first test awaits its run.
 *
 * @param agent The agent of these goldens, as for `replay`.
 * @param body Registers tests. `run` is a promise of the golden's replay.
 * @param options As for `replay`.
 *
 * @example
 * describeGolden('refund-*', supportAgent, (golden, run) => {
 * it('refunds once', async () => {
 * expect(await run).toHaveCalledToolTimes('refund_order', 1)
 * })
 * })
 */
export function describeGolden<Input, Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  pattern: string,
  agent: (input: Input, context: Context) => Output,
  body: (golden: DescribedGolden<Input>, run: PromiseLike<RunBy<Schema, Awaited<Output>>>) => void,
  options: ReplayOptions<Context, Schema> = {},
): void {
  describe(`golden traces ${pattern}`, async () => {
    const goldens = createGoldenDirectory()
    const names = await goldens.list()
    const matching = await matchGoldens(pattern, names)
    if (matching.length === 0) throw noGoldenMatches(pattern, names, goldens.directory)
    for (const name of matching) {
      const file = goldens.fileOf(name)
      const golden = describeTrace<Input>(await readTrace(file), name)
      const run = onceAsked(() => replay(file, agent, options))
      // oxlint-disable-next-line vitest/valid-title -- it is a text
      describe(titleOf(golden), () => {
        body(golden, run)
      })
    }
  })
}
