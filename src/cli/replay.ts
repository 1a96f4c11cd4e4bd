import { InvalidArgumentError, Option, type Command } from 'commander'
import type { ModelDrift } from '../replay/contract/replay-options.ts'
import { type BisectRange, bisect } from './past-code/bisect.ts'
import type { ReplayApartOptions } from './past-code/apart-request.ts'
import { type PastJob, runAt } from './past-code/run-apart.ts'
import { withProgress } from './progress.ts'
import { isWithoutNetwork, needNetwork, ownJournal } from './replay-journal.ts'
import { type ReplayOutput, toOutput } from './replay-output.ts'
import { replayTraces } from './replay-traces.ts'
import { selectTraces } from './select-traces.ts'
import { isLocal, jsonOption, networkOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { diverted, type Terminal } from './terminal.ts'

const EXAMPLES = `
Examples:
  $ npx goldenrun replay cancel-unshipped
  $ npx goldenrun replay 'support/**' --on-divergence continue
  $ npx goldenrun replay latest --allow-model-drift gpt-4.1-mini=gpt-5-mini
  $ npx goldenrun replay --html pages
  $ npx goldenrun replay cancel-unshipped --ref v1.2
  $ npx goldenrun replay cancel-unshipped --bisect v1.2..HEAD

Exit status: 0 all held, 1 one did not hold, 2 one could not be replayed. With --bisect: 1 found, 2 not found.`

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
    .addOption(new Option('--ref <git ref>', 'replay with the code of a commit, a branch or a tag').conflicts('bisect'))
    .option('--bisect <good..bad>', 'find the commit with which the traces stopped holding', parseRange)
    .addOption(new Option('--html <dir>', 'write a page of each trace that does not hold into this directory').conflicts(['ref', 'bisect']))
    .option('--install', 'with --ref or --bisect: install the packages of a commit whose lock file differs')
    .addOption(networkOption())
    .addOption(storeOption())
    .addOption(jsonOption())
    .addOption(new Option('--markdown', 'print Markdown, for a comment on a pull request').conflicts('json'))
    .addHelpText('after', EXAMPLES)
    .action(async (runs: readonly string[], options: ReplayCommandOptions, command: Command) => {
      if (options.install === true && options.ref === undefined && options.bisect === undefined)
        command.error('error: --install requires --ref or --bisect')
      const { status, text, json, markdown } = await replayAll(runs, options, terminal)
      if (options.json === true) terminal.printJson(json)
      else terminal.print(options.markdown === true ? markdown : text)
      onStatus(status)
    })
}

interface ReplayCommandOptions extends StoreOptions {
  readonly onDivergence: 'stop' | 'continue'
  readonly allowModelDrift?: readonly ModelDrift[]
  readonly markdown?: true
  readonly ref?: string
  readonly bisect?: BisectRange
  readonly install?: true
  readonly network?: true
  readonly html?: string
}

async function replayAll(
  runs: readonly string[],
  { onDivergence, allowModelDrift = [], store, ref, bisect: range, install, html, network }: ReplayCommandOptions,
  terminal: Terminal,
): Promise<ReplayOutput> {
  return await diverted(terminal, async () => {
    const place = await storeOf(store)
    needNetwork(network === true || !isLocal(place) || ref !== undefined || range !== undefined)
    const selected = await selectTraces(runs, place)
    const { colors, width } = terminal
    const apart: ReplayApartOptions = { onDivergence, allowModelDrift, color: colors.isColorSupported, width }
    const job: PastJob = { job: 'replay', install: install === true, options: apart }
    if (ref !== undefined) return await runAt<ReplayOutput>(ref, selected, job, terminal)
    if (range !== undefined) return await bisect(range, selected, job, terminal)
    const results = await withProgress(terminal, (progress) =>
      replayTraces(selected, {
        onDivergence,
        allowModelDrift,
        html,
        journal: ownJournal,
        onTrace: (name, index) => progress.tell(`Replaying ${index + 1} of ${selected.length}: ${name}`),
      }),
    )
    return toOutput(results, terminal, { isWithoutNetwork })
  })
}

function parseRange(text: string): BisectRange {
  // No ref contains two dots, or begins with one.
  const [good = '', bad = '', ...others] = text.split('..')
  if (good === '' || bad === '' || bad.startsWith('.') || others.length > 0)
    throw new InvalidArgumentError('It has to name two commits, the good one first: v1.2..HEAD.')
  return { good, bad }
}

function parseModelDrift(text: string, before: readonly ModelDrift[] = []): readonly ModelDrift[] {
  const [, from, to] = /^([^=]+)=([^=]+)$/.exec(text) ?? []
  if (from === undefined || to === undefined) throw new InvalidArgumentError('It has to name both models: gpt-4.1-mini=gpt-5-mini.')
  return [...before, { from, to }]
}
