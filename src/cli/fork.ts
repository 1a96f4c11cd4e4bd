import { Option, type Command } from 'commander'
import { type ConfiguredAgent, replayOptionsOf } from '../config/agent-reference.ts'
import type { GoldenrunConfig } from '../config/define-config.ts'
import { guardOutside } from '../goldens/guard-outside.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { TraceAndFile } from '../replay/traces/read-trace.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { omitUndefined } from '../trace/json.ts'
import type { Trace } from '../trace/trace.ts'
import type { ForkEdit, ForkOptions } from '../travel/fork-options.ts'
import { fork } from '../travel/fork.ts'
import type { ForkSamples, SampleOptions } from '../travel/samples.ts'
import { COULD_NOT_RUN, DIVERGED, HELD } from './exit-status.ts'
import { forkToJson, formatFork, formatSamples, outcomeText } from './fork/format-fork.ts'
import { inWordsOfTheCommand, parseList, parsePoint, parseRoute, readJson, readText, wholeNumber } from './fork/fork-arguments.ts'
import { addLiveOptions, type LiveOptions, standInsOf } from './fork/live-options.ts'
import { keepFork } from './fork/keep-fork.ts'
import { writeForksPage } from './fork/write-forks-page.ts'
import { readRunAndFile, RUN_ARGUMENT } from './read-run.ts'
import { rememberAgents } from './remember-agents.ts'
import { jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { diverted, type Terminal } from './terminal.ts'

const EXAMPLES = `
Examples:
  $ npx goldenrun fork latest --at tool:refund_order --error "timed out"
  $ npx goldenrun fork refund-twice --at turn:28 --system @new-prompt.md --then live --samples 20
  $ npx goldenrun fork refund-twice --at turn:28 --models gpt-5,gpt-5-mini --then live --budget 2usd

Exit status: 0 the agent finished, 1 it was stopped, 2 the run could not be forked.`

/** `goldenrun fork <run>` */
export function addForkCommand(program: Command, terminal: Terminal, onStatus: (status: number) => void): void {
  const command = program
    .command('fork')
    .argument('<run>', RUN_ARGUMENT)
    .summary('go back to a step of a run, change something, and continue')
    .description(
      'Replays a run up to a step with the agent of goldenrun.config.ts, and continues from there with something changed. Nothing is really called ' +
        'unless --then live or --route allows it, and no write unless --route names it. The fork is saved as a recording.',
    )
    .option(
      '--at <point>',
      'the step: 7, turn:28, tool:refund_order, tool:refund_order:2, checkpoint:name, side-effect (default: where the agent departs)',
      parsePoint,
    )
    .option('--answer <json>', 'a different answer for that step: JSON, or @file')
    .addOption(new Option('--error <message>', 'make that step fail with this error message').conflicts('answer'))
    .option('--system <text>', 'a different system prompt from that step on: text, or @file')
    .option('--model <name>', 'a different model from that step on')
    .addOption(new Option('--models <names>', 'fork once for each of these models').argParser(parseList).conflicts('model'))
    .option('--arguments <json>', 'different arguments for that tool call: JSON, or @file')
    .option('--input <json>', 'a different input for the agent: JSON, or @file')
    .addOption(
      new Option('--then <way>', 'how calls from that step on are answered').choices(['recorded', 'sandbox', 'live']).default('recorded'),
    )
    .option('--route <name=way>', 'the route for a tool, host or boundary: recorded, sandbox, run, live, refuse; repeatable', parseRoute)
    .addOption(new Option('--prefix <how>', 'whether calls before the step may differ').choices(['strict', 'keep']).default('strict'))
    .addOption(
      new Option('--clock <how>', 'how time passes from that step on (default: real if calls may go live, otherwise virtual)').choices([
        'virtual',
        'real',
        'now',
      ]),
    )
    .option('--samples <n>', 'the number of forks', wholeNumber)
    .option('--concurrency <n>', 'the number of forks that run at once (default: 8)', wholeNumber)
  addLiveOptions(command)
    .option('--no-keep', 'do not save the fork as a recording')
    .option('--html <file>', 'write a page that compares the forks with the run')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (run: string, options: ForkCommandOptions) => {
      const store = await storeOf(options.store)
      const original = await readRunAndFile(run, store)
      const { forks, prices } = await diverted(terminal, async () => await inWordsOfTheCommand(forkAll(original, options)))
      const kept = options.keep ? await keepAll(forks, store) : new Map<ReplayedRun, string>()
      const shown = { prices, hasCommands: options.keep }
      const page = options.html === undefined ? undefined : await writeForksPage(original.trace, runsOf(forks), options.html, shown)
      if (options.json === true) terminal.printJson({ ...toJson(forks, kept), ...omitUndefined({ page }) })
      else terminal.print([toText(forks, kept), ...(page === undefined ? [] : [`To compare them with the run: ${page}`])].join('\n'))
      onStatus(statusOf(forks))
    })
}

interface ForkCommandOptions
  extends
    StoreOptions,
    LiveOptions,
    Pick<ForkOptions, 'at' | 'route' | 'clock'>,
    Required<Pick<ForkOptions, 'then' | 'prefix'>>,
    Partial<SampleOptions> {
  readonly answer?: string
  readonly error?: string
  readonly system?: string
  readonly model?: string
  readonly models?: readonly string[]
  readonly arguments?: string
  readonly input?: string
  /** False with `--no-keep`. */
  readonly keep: boolean
  readonly html?: string
}

/** The forks of one command; with several models, those of one model. */
interface MadeForks {
  readonly model: string | undefined
  /** A single fork without `--samples`. */
  readonly made: ReplayedRun | ForkSamples
}

/** Forks a run at a step with a different answer, as `goldenrun fork --at <step> --answer <json>` does, and keeps the fork. Returns its id. */
export async function forkWithAnswer(original: TraceAndFile, step: number, answer: string, store: string | TraceStore): Promise<string> {
  const { forks } = await forkAll(original, { at: step, answer, then: 'recorded', prefix: 'strict', cache: false, keep: true })
  const [run] = runsOf(forks)
  if (run === undefined) throw new GoldenrunError('GOLDENRUN_FORK_POINT', 'The run was not forked.')
  return await keepFork(run.toTrace(), store)
}

async function forkAll(
  { trace, file }: Pick<TraceAndFile, 'trace' | 'file'>,
  options: ForkCommandOptions,
): Promise<{ readonly forks: readonly MadeForks[]; readonly prices: GoldenrunConfig['prices'] }> {
  const outside = guardOutside()
  try {
    const { agent, loaded } = await rememberAgents(outside, {})(trace, file)
    const forks: MadeForks[] = []
    for (const model of options.models ?? [options.model]) {
      const given = {
        ...(await replayOptionsOf(loaded.config, trace.header.agent)),
        ...(await toForkOptions(options, model, loaded.config)),
      }
      forks.push({ model, made: await makeForks(trace, agent, given, options) })
    }
    return { forks, prices: loaded.config.prices }
  } finally {
    outside.release()
  }
}

async function makeForks(
  trace: Trace,
  agent: ConfiguredAgent,
  given: ForkOptions,
  { samples, concurrency }: ForkCommandOptions,
): Promise<ReplayedRun | ForkSamples> {
  const body = agent as (input: unknown, context: unknown) => unknown
  return samples === undefined ? await fork(trace, body, given) : await fork(trace, body, { ...given, samples, concurrency })
}

async function toForkOptions(options: ForkCommandOptions, model: string | undefined, config: GoldenrunConfig): Promise<ForkOptions> {
  const { at, then, route, prefix, clock, budget, cache, seed, allowHost } = options
  const edit = await toEdit(options, model)
  const { sandbox, prices } = config
  return {
    ...omitUndefined({ at, route, clock, seed, allowHost, sandbox }),
    ...(Object.keys(edit).length > 0 && { edit }),
    then,
    prefix,
    ...(budget !== undefined && { budget: { ...budget, ...(prices && { prices }) } }),
    ...(cache !== false && { cache }),
    ...standInsOf(options),
  }
}

async function toEdit(options: ForkCommandOptions, model: string | undefined): Promise<ForkEdit> {
  const { answer, error, system, input } = options
  const request = {
    ...(system !== undefined && { system: await readText('--system', system) }),
    ...(model !== undefined && { model }),
    ...(options.arguments !== undefined && { arguments: await readJson('--arguments', options.arguments) }),
  }
  return {
    ...(answer !== undefined && { answer: await readJson('--answer', answer) }),
    ...(error !== undefined && { answer: new Error(error) }),
    ...(Object.keys(request).length > 0 && { request }),
    ...(input !== undefined && { input: await readJson('--input', input) }),
  }
}

function runsOf(forks: readonly MadeForks[]): ReplayedRun[] {
  return forks.flatMap(({ made }) => ('runs' in made ? made.runs : [made]))
}

async function keepAll(forks: readonly MadeForks[], store: string | TraceStore): Promise<Map<ReplayedRun, string>> {
  const kept = new Map<ReplayedRun, string>()
  for (const run of runsOf(forks)) kept.set(run, await keepFork(run.toTrace(), store))
  return kept
}

function toText(forks: readonly MadeForks[], kept: ReadonlyMap<ReplayedRun, string>): string {
  const blocks = forks.map(({ model, made }) => {
    const lines = 'runs' in made ? formatSamples(made) : formatFork(made)
    return [...(model === undefined || forks.length === 1 ? [] : [`${model}:`]), ...lines].join('\n')
  })
  const ids = [...kept.values()]
  const [id] = ids
  if (id === undefined) return blocks.join('\n\n')
  const shown =
    ids.length === 1
      ? `Saved as ${id}. To show it: npx goldenrun show ${id}`
      : `Saved as ${ids.length} recordings, from ${id} on. To list them: npx goldenrun list`
  return [...blocks, shown].join('\n\n')
}

function toJson(forks: readonly MadeForks[], kept: ReadonlyMap<ReplayedRun, string>): object {
  const each = forks.map(({ model, made }) => {
    const runs = 'runs' in made ? made.runs : [made]
    const groups =
      'runs' in made
        ? {
            outcomes: made.outcomes.map(({ runs: same, share, interval }) => ({
              samples: same.length,
              share,
              interval,
              outcome: same.slice(0, 1).map((run) => outcomeText(run))[0],
            })),
            spent: made.spent,
            ...(made.usedUp !== undefined && { usedUp: made.usedUp }),
          }
        : {}
    return { ...(model !== undefined && { model }), ...groups, runs: runs.map((run) => forkToJson(run, kept.get(run))) }
  })
  return { forks: each }
}

function statusOf(forks: readonly MadeForks[]): number {
  const runs = runsOf(forks)
  if (runs.length === 0) return COULD_NOT_RUN
  return runs.every(({ outcome: { status } }) => status === 'returned' || status === 'threw') ? HELD : DIVERGED
}
