import { describe, expect, test } from '@jest/globals'
import picomatch from 'picomatch'
import { type DescribedGolden, describeTrace, noGoldenMatches, onceAsked, titleOf } from '../goldens/described-golden.ts'
import { digest } from '../replay/traces/digest.ts'
import { readTrace } from '../replay/traces/read-trace.ts'
import { replay } from '../goldens/test-replay.ts'
import type { RunBy } from '../replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import type { RunSchema } from '../replay/contract/run-schema.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { matchGoldensBy } from '../stores/golden-pattern.ts'
import { readTraceFileNow } from '../stores/read-trace-file.ts'
import { readingLimits } from '../stores/reading-limits.ts'
import { checked } from '../trace/check-row.ts'
import { decodeChecked } from '../trace/decode-checked.ts'
import type { Trace } from '../trace/trace.ts'

/**
 * Describes tests for each golden whose name matches: `refund-*`, `support/**`; `*` is anything but a slash. A golden is replayed once for
 * all of its tests, when the first test awaits its run.
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
 *
 * @note Jest does not await `describe`, so the goldens are read synchronously.
 */
export function describeGolden<Input, Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  pattern: string,
  agent: (input: Input, context: Context) => Output,
  body: (golden: DescribedGolden<Input>, run: PromiseLike<RunBy<Schema, Awaited<Output>>>) => void,
  options: ReplayOptions<Context, Schema> = {},
): void {
  describe(`golden traces ${pattern}`, () => {
    const goldens = createGoldenDirectory()
    const names = goldens.listNow()
    const matching = matchGoldensBy(picomatch, pattern, names)
    if (matching.length === 0) throw noGoldenMatches(pattern, names, goldens.directory)
    for (const name of matching) {
      const file = goldens.fileOf(name)
      const trace = readWholeTrace(file)
      if (trace === undefined) {
        describeDamaged(name, file)
        continue
      }
      const golden = describeTrace<Input>(trace, name)
      const run = onceAsked(() => replay(file, agent, options))
      // oxlint-disable-next-line vitest/valid-title -- it is a text
      describe(titleOf(golden), () => {
        body(golden, run)
      })
    }
  })
}

/** Describes a test that fails with the problem of a golden. */
function describeDamaged(name: string, file: string): void {
  test(`${name} can be read`, async () => {
    expect((await readTrace(file)).header.golden).toBeDefined()
  })
}

/** Reads a golden synchronously; undefined if it is invalid. */
function readWholeTrace(path: string): Trace | undefined {
  try {
    const { file, text } = readTraceFileNow(path)
    return decodeChecked(text, file, digest, checked, readingLimits())
  } catch {
    return undefined
  }
}
