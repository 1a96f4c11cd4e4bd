import type { ConfiguredAgent } from '../config/agent-reference.ts'
import { type NextCommands, quoteForShell } from '../divergence/report/next-commands.ts'
import { isSameRun } from '../matchers/same-run.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import { displayPath } from '../node/display-path.ts'
import { omitUndefined } from '../trace/json.ts'
import { type AssertedRun, createAcceptable, knowRun } from './asserted-run.ts'
import { debugArgumentsFor } from './debug-command.ts'
import { findGoldenFile } from './find-golden-file.ts'
import { isCI } from './golden-mode.ts'
import { mockedModules } from './mocked-modules.ts'
import { withNextCommands } from './with-next-commands.ts'
import { testCommand } from './test-command.ts'
import { type TestRunner, currentTestRunner } from './test-runner.ts'

type Commanded = ReplayedRun & { readonly commands?: NextCommands }

/** The replay of a trace that a test names. */
export interface NamedReplay {
  /** The name or path in the test. */
  readonly wanted: string
  readonly agent: ConfiguredAgent
  readonly options: ReplayOptions
  /** Whether the golden was recorded just before. */
  readonly isRecorded: boolean
}

/** Adds to a replay the commands that update its golden; with `-u`, also the rebase. */
export async function withNamedGolden<Run extends ReplayedRun>(run: Run, replayed: NamedReplay): Promise<Run> {
  const { golden } = run.trace.header
  const runner = currentTestRunner()
  const file = golden === undefined || runner === undefined ? undefined : await findGoldenFile(replayed.wanted, golden.name)
  if (golden === undefined || runner === undefined || file === undefined) return await withNextCommands(run, {})
  const own = ownOptions(replayed.options)
  const about = { name: golden.name, file: displayPath(file), isRecorded: replayed.isRecorded, ...(own.length > 0 && { hasOptions: true }) }
  if (isSameRun(run)) return knowRun(run, about)
  const mocked = mockedModules(runner.testPath() ?? '')
  const command = commandOf(runner)
  const debug = await debugArgumentsFor(run.trace.header, file)
  if (!runner.isUpdate() || isCI()) {
    const isRebased = own.length === 0 && runner.hasReporter() && command !== undefined
    return knowRun(await withNextCommands(run, { mocked, record: command, debug, rebase: isRebased ? `${command} -u` : undefined }), about)
  }
  const named = await withNextCommands(run, { mocked, record: command, debug })
  if (own.length > 0 || !runner.hasReporter())
    return knowRun(named, { ...about, refusal: { reason: reasonOf(own), ...omitUndefined({ command: named.commands?.record }) } })
  return await withRebase(named, about, file, replayed)
}

/** Returns the run for a test with `-u`. It turns into the rebased golden's run if the rebase works and the test asserts that the golden holds. */
async function withRebase<Run extends Commanded>(
  run: Run,
  about: AssertedRun,
  file: string,
  { agent, options }: NamedReplay,
): Promise<Run> {
  const { rebaseGolden } = await import('./try-rebase.ts')
  const { telemetry: _, traceCallSites: __, ...untold } = options
  const { rebase, refusal, run: rebased } = await rebaseGolden(file, run.trace, agent, untold, run.commands?.record)
  if (refusal !== undefined) return knowRun(run, { ...about, refusal })
  // A golden whose incident is still repeated fails with its new inputs as well.
  if (run.incident !== undefined) return knowRun(run, { ...about, rebase })
  const acceptable = createAcceptable(run, rebased)
  return knowRun(acceptable.run, { ...about, rebase, accept: acceptable.accept })
}

function reasonOf(own: readonly string[]): string {
  return own.length > 0
    ? `a test replays it with options of its own (${own.join(', ')})`
    : 'no goldenrun reporter is configured to write it'
}

function commandOf({ command, testPath }: TestRunner): string | undefined {
  const test = testPath()
  return test === undefined ? undefined : testCommand(command, quoteForShell(displayPath(test)))
}

/** Options that do not affect whether a golden holds. */
const neutral: ReadonlySet<string> = new Set(['after', 'agent', 'breakAt', 'context', 'schema', 'store', 'telemetry', 'traceCallSites'])

function ownOptions(options: ReplayOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) => (value === undefined || neutral.has(name) ? [] : [name]))
}
