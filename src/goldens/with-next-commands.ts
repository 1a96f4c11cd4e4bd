import { execs, findPackageManager } from '../stores/package-manager.ts'
import { type NextCommands, quoteForShell } from '../divergence/report/next-commands.ts'
import type { MockedModule } from '../divergence/report/mocked-module.ts'
import type { ReportedRun } from '../divergence/report/reported-run.ts'
import { isSameRun } from '../matchers/same-run.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { omitUndefined } from '../trace/json.ts'
import { findNewerRecording } from './newer-recording.ts'

/** The commands that suit a golden in the test that replayed it. */
export interface GoldenCommands extends Pick<NextCommands, 'optionsIn'> {
  /** `npx vitest run golden-traces/cancel-unshipped.jsonl -u` */
  readonly rebase?: string | undefined
  /** `npx vitest run golden-traces/cancel-unshipped.jsonl`, which records the golden again with `GOLDENRUN=record`. */
  readonly record?: string | undefined
  /** `debug cancel-unshipped`, a command of goldenrun. */
  readonly debug?: string | undefined
  /** The modules that the test mocks. Default: none. */
  readonly mocked?: readonly MockedModule[]
}

/**
 * Adds the next commands to a run that differs from the recorded one.
 *
 * @note The run's properties are computed lazily, so they must not be read here.
 */
export async function withNextCommands<Run extends ReplayedRun>(
  run: Run,
  { rebase, record, debug, optionsIn, mocked }: GoldenCommands,
): Promise<Run & Pick<ReportedRun, 'commands' | 'mocked'>> {
  if (isSameRun(run)) return run
  const exec = execs[findPackageManager(process.cwd()) ?? 'npm']
  const newer = await findNewerRecording(run.trace)
  const name = quoteForShell(run.trace.header.golden?.name ?? '')
  const commands: NextCommands = {
    exec,
    ...omitUndefined({
      optionsIn,
      rebase,
      record: record === undefined ? undefined : `GOLDENRUN=record ${record}`,
      promote: newer === undefined ? undefined : `${exec} goldenrun promote ${quoteForShell(newer)} --name ${name} --force`,
      debug: debug === undefined ? undefined : `${exec} goldenrun ${debug}`,
    }),
  }
  // Configurable, or it could not be told whether a test looks at the run (`onFirstRead`).
  const added = { commands: { value: commands, configurable: true }, mocked: { value: mocked, configurable: true } }
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(run), ...added }) as Run &
    Pick<ReportedRun, 'commands' | 'mocked'>
}
