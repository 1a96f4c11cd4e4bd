import { describe } from 'vitest'
import { nearestNames } from '../replay/nearest-names.ts'
import { readTrace } from '../replay/read-trace.ts'
import { replay } from '../replay/replay.ts'
import type { RunBy } from '../replay/replayed-run.ts'
import type { ReplayOptions } from '../replay/replay-options.ts'
import type { RunSchema } from '../replay/schema/run-schema.ts'
import { displayPath } from '../stores/display-path.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { matchGoldens } from '../stores/golden-pattern.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Golden } from '../trace/run-row.ts'

/** A golden that tests are described for. */
export interface DescribedGolden<Input = unknown> extends Golden {
  /** What the agent was given. */
  readonly input: Input
}

/**
 * Describes tests for each golden whose name matches: `refund-*`, `support/**`, `{refund,cancel}-*`; `*` is anything but a slash. A golden is
 * replayed when a test first waits for its run, and once for all of its tests.
 *
 * @param agent The agent of these goldens, as `replay` takes it.
 * @param body Registers tests. `run` is a promise of the golden's replay.
 * @param options As `replay` takes them.
 *
 * @example
 * describeGolden('refund-*', supportAgent, (golden, run) => {
 *   it('refunds once', async () => {
 *     expect(await run).toHaveCalledToolTimes('refund_order', 1)
 *   })
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
    for (const name of await findMatching(pattern, await goldens.list(), displayPath(goldens.directory))) {
      const trace = await readTrace(goldens.fileOf(name))
      const { golden = { name, expect: { replay: 'same' }, promotedAt: '', promotedFrom: trace.header.id }, input } = trace.header
      const run = onceAsked(() => replay(trace, agent, options))
      describe(`${golden.name}${golden.description === undefined ? '' : `: ${golden.description}`}`, () => {
        body({ ...golden, input: input as Input }, run)
      })
    }
  })
}

async function findMatching(pattern: string, names: readonly string[], directory: string): Promise<readonly string[]> {
  const found = await matchGoldens(pattern, names)
  if (found.length > 0) return found
  const nearest = nearestNames(pattern, names)
  const hint = nearest.length === 0 ? 'There is none at all.' : `The nearest are: ${nearest.join(', ')}.`
  throw new GoldenrunError('GOLDENRUN_TRACE_NOT_FOUND', `No golden trace in ${directory} matches "${pattern}". ${hint}`)
}

/** A promise of what is made when somebody first waits for it. */
function onceAsked<Value>(make: () => Promise<Value>): PromiseLike<Value> {
  let made: Promise<Value> | undefined
  // oxlint-disable-next-line unicorn/no-thenable -- a golden of which no test runs is not to be replayed
  return { then: (fulfilled, rejected) => (made ??= make()).then(fulfilled, rejected) }
}
