import { InvalidArgumentError, Option, type Command } from 'commander'
import { groupReports } from '../divergence/report/group-reports.ts'
import { toJsonReport } from '../divergence/report/json-report.ts'
import { groupsToMarkdown, groupsToTerminal, tellCounts } from '../divergence/report/print-groups.ts'
import type { ModelDrift } from '../replay/contract/replay-options.ts'
import { omitUndefined } from '../trace/json.ts'
import { COULD_NOT_RUN, DIVERGED, HELD } from './exit-status.ts'
import { withProgress } from './progress.ts'
import { replayTraces, type TraceResult } from './replay-traces.ts'
import { selectTraces } from './select-traces.ts'
import { jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { diverted, type Terminal } from './terminal.ts'
import { count } from './units.ts'

const EXAMPLES = `
Examples:
  $ npx goldenrun replay cancel-unshipped
  $ npx goldenrun replay 'support/**' --on-divergence continue
  $ npx goldenrun replay latest --allow-model-drift gpt-4.1-mini=gpt-5-mini

Exit status: 0 all held, 1 one did not hold, 2 one could not be replayed.`

/** `goldenrun replay [trace…]` */
export function addReplayCommand(program: Command, terminal: Terminal, onStatus: (status: number) => void): void {
  program
    .command('replay')
    .argument('[trace...]', "golden traces by name, pattern or path; recordings by id or 'latest' (default: all golden traces)")
    .summary('replay traces with the agent of goldenrun.config.ts, without a test runner')
    .description(
      'Replays traces with the agents of goldenrun.config.ts, and reports which hold. Nothing that the process does reaches the outside world. What ' +
        'an agent prints goes to standard error.',
    )
    .addOption(new Option('--on-divergence <how>', 'what a replay does at a divergence').choices(['stop', 'continue']).default('stop'))
    .option('--allow-model-drift <old=new>', 'accept a different model in place of the recorded one; repeatable', parseModelDrift)
    .addOption(storeOption())
    .addOption(jsonOption())
    .addOption(new Option('--markdown', 'print Markdown, for a comment on a pull request').conflicts('json'))
    .addHelpText('after', EXAMPLES)
    .action(async (runs: readonly string[], options: ReplayCommandOptions) => {
      const results = await replayAll(runs, options, terminal)
      if (options.json === true) terminal.printJson(toJson(results))
      else if (options.markdown === true) terminal.print(toMarkdown(results))
      else terminal.print(toText(results, terminal))
      onStatus(statusOf(results))
    })
}

interface ReplayCommandOptions extends StoreOptions {
  readonly onDivergence: 'stop' | 'continue'
  readonly allowModelDrift?: readonly ModelDrift[]
  readonly markdown?: true
}

async function replayAll(
  runs: readonly string[],
  { onDivergence, allowModelDrift = [], store }: ReplayCommandOptions,
  terminal: Terminal,
): Promise<TraceResult[]> {
  return await diverted(terminal, async () => {
    const selected = await selectTraces(runs, await storeOf(store))
    return await withProgress(terminal, (progress) =>
      replayTraces(selected, {
        onDivergence,
        allowModelDrift,
        onTrace: (name, index) => progress.tell(`Replaying ${index + 1} of ${selected.length}: ${name}`),
      }),
    )
  })
}

function statusOf(results: readonly TraceResult[]): number {
  if (results.some(({ status }) => status === 'could not run')) return COULD_NOT_RUN
  return results.every(({ status }) => status === 'held') ? HELD : DIVERGED
}

function toText(results: readonly TraceResult[], { colors, width }: Terminal): string {
  const style = { color: colors.isColorSupported, width }
  const groups = groupReports(reportsOf(results))
  const blocks = groups.length === 0 ? [] : [groupsToTerminal(groups, style)]
  const failures = failed(results).map(({ name, message }) => `${colors.red(`Could not replay ${name}:`)} ${message}`)
  const held = results.flatMap(({ name, evidence }) => (evidence === undefined ? [] : [`Held ${name}: ${evidence}.`]))
  const counts = (['not held', 'repeated', 'not exercised', 'failed', 'could not run', 'held'] as const).flatMap((status) => {
    const { length } = results.filter((result) => result.status === status)
    return length === 0 ? [] : [status === 'held' ? colors.green(`${length} held`) : colors.red(`${length} ${status}`)]
  })
  return [...blocks, ...failures, ...held, `${colors.bold(`${count(results.length, 'trace')} replayed:`)} ${counts.join(', ')}.`].join(
    '\n\n',
  )
}

function toMarkdown(results: readonly TraceResult[]): string {
  const groups = groupReports(reportsOf(results))
  return [
    ...(groups.length === 0 ? [] : [groupsToMarkdown(groups)]),
    ...failed(results).map(({ name, message }) => `### Could not replay "${name}"\n\n\`\`\`text\n${message}\n\`\`\``),
    tellCounts(results.map(({ status }) => status)),
  ].join('\n\n')
}

function toJson(results: readonly TraceResult[]): object {
  const number = (wanted: TraceResult['status']): number => results.filter(({ status }) => status === wanted).length
  return {
    counts: {
      held: number('held'),
      notHeld: number('not held'),
      repeated: number('repeated'),
      notExercised: number('not exercised'),
      failed: number('failed'),
      couldNotRun: number('could not run'),
    },
    traces: results.map(({ name, file, status, evidence, message, standIns, drawn }) =>
      omitUndefined({ name, file, status, evidence, message, standIns, drawn }),
    ),
    reports: groupReports(reportsOf(results)).map(({ report, alsoIn }) => toJsonReport(report, alsoIn)),
  }
}

function reportsOf(results: readonly TraceResult[]): NonNullable<TraceResult['report']>[] {
  return results.flatMap(({ report, status }) => (report === undefined || status === 'could not run' ? [] : [report]))
}

function failed(results: readonly TraceResult[]): readonly { readonly name: string; readonly message: string }[] {
  return results.flatMap(({ name, status, message = '' }) => (status === 'could not run' ? [{ name, message }] : []))
}

function parseModelDrift(text: string, before: readonly ModelDrift[] = []): readonly ModelDrift[] {
  const [, from, to] = /^([^=]+)=([^=]+)$/.exec(text) ?? []
  if (from === undefined || to === undefined) throw new InvalidArgumentError('It has to name both models: gpt-4.1-mini=gpt-5-mini.')
  return [...before, { from, to }]
}
