import type { Command } from 'commander'
import { loadAgent } from '../config/load-agent.ts'
import { loadConfig } from '../config/load-config.ts'
import { replayOptionsOf } from '../config/replay-options-of.ts'
import { guardOutside } from '../goldens/guard-outside.ts'
import { preparePromotion, tryPromotion, writePromotion, type Promotion, type Trial } from '../replay/goldens/promote.ts'
import { type CodeConstant, constantsToKeep, tellConstant } from '../replay/goldens/promotion/constants.ts'
import { expectDeparture } from '../replay/goldens/promotion/incident.ts'
import { displayPath } from '../node/display-path.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { omitUndefined } from '../trace/json.ts'
import type { Check, Expectation } from '../trace/run-row.ts'
import type { Trace } from '../trace/trace.ts'
import { parseCheck, parseMore, parseStep, parseTrigger, readAnswers } from './incident-options.ts'
import { proofOf } from './incident-proof.ts'
import { formatPromotion, summarizePromotion, type PromotionSummary } from './promotion-summary.ts'
import { readRun, RUN_ARGUMENT } from './read-run.ts'
import { jsonOption, storeOf, storeOption } from './shared-options.ts'
import type { Terminal } from './terminal.ts'

const EXAMPLES = `
Examples:
  $ npx goldenrun promote latest --name cancel-unshipped
  $ npx goldenrun promote 20261121-021406 --name refund-twice --incident \\
      --describe "The refund API timed out after it had acted" --expect "One refund is booked"

A golden trace is a file in golden-traces/, to be committed and reviewed like code. A test that holds your agent to it:
  expect(await replay('cancel-unshipped', agent)).toReplayWithoutDivergence()`

/** `goldenrun promote <run>` */
export function addPromoteCommand(program: Command, terminal: Terminal): void {
  program
    .command('promote')
    .argument('<run>', RUN_ARGUMENT)
    .summary('make a recording a golden trace')
    .description('Makes a recording a golden trace, which replays are held against. Shows what it is about to keep, and asks.')
    .requiredOption('--name <name>', 'the name of the golden trace, and of its file')
    .option('--describe <sentence>', 'what the run is about')
    .option('--expect <sentence>', 'what should come of it; printed when a replay does not hold')
    .option(
      '--incident [step]',
      'the run went wrong: hold when the agent departs from it by this step (default: the first repeated side effect)',
      parseStep,
    )
    .option('--answers <file>', 'with --incident: a JSON file with answers for the calls made after departing, by tool or host')
    .option(
      '--check <matcher>',
      'with --incident: what the departed run has to pass, such as \'toHaveCalledTool("find_refund")\'; repeatable',
      parseCheck,
    )
    .option(
      '--keep-constant <path>',
      "keep an address, card or phone number of the agent's own source as it is, by a path at which the agent brings it (args.to); repeatable",
      parseMore,
    )
    .option(
      '--trigger <step>',
      "with --incident: the step whose outcome made it happen, or 'input' (default: the first of the repeated calls)",
      parseTrigger,
    )
    .option(
      '--allow-write <name>',
      'with --incident: a write that the agent may make after the trigger, by tool or request; repeatable',
      parseMore,
    )
    .option('--run-tool <name>', 'with --incident: a tool whose function runs, where the fix is in the tool; repeatable', parseMore)
    .option('--witness <ref>', 'with --incident: a commit that has the bug; its agent has to do again what went wrong')
    .option('--allow-unverified-incident', 'with --incident: promote it though no agent does again what went wrong')
    .option('-y, --yes', 'do not ask')
    .option('--force', 'replace a golden trace that has the name')
    .option('--no-replay', 'do not replay it first with the agent that goldenrun.config.ts names')
    .option('--allow-unfinished', 'promote a run that has no end')
    .option('--allow-unrecorded-contacts', 'promote a run that reached what was not recorded')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (run: string, options: PromoteCommandOptions, command: Command) => {
      const [needless] = options.incident === undefined ? incidentOptions.filter(([name]) => options[name] !== undefined) : []
      if (needless !== undefined) command.error(`error: ${needless[1]} is of the golden of an incident: it needs --incident`)
      await promoteRun(await readRun(run, await storeOf(options.store)), options, terminal)
    })
}

/** Options of incidents only. */
const incidentOptions = [
  ['answers', '--answers'],
  ['check', '--check'],
  ['trigger', '--trigger'],
  ['allowWrite', '--allow-write'],
  ['runTool', '--run-tool'],
  ['witness', '--witness'],
  ['allowUnverifiedIncident', '--allow-unverified-incident'],
] as const

interface PromoteCommandOptions {
  readonly name: string
  readonly describe?: string
  readonly expect?: string
  /** True when no step was named. */
  readonly incident?: number | true
  readonly answers?: string
  readonly check?: readonly Check[]
  readonly trigger?: number | 'input'
  readonly allowWrite?: readonly string[]
  readonly runTool?: readonly string[]
  readonly witness?: string
  readonly allowUnverifiedIncident?: true
  readonly keepConstant?: readonly string[]
  readonly yes?: true
  readonly force?: true
  /** False with `--no-replay`. */
  readonly replay: boolean
  readonly allowUnfinished?: true
  readonly allowUnrecordedContacts?: true
  readonly store?: string
  readonly json?: true
}

async function promoteRun(trace: Trace, options: PromoteCommandOptions, terminal: Terminal): Promise<void> {
  const { name, describe, expect: expectedOutcome, force = false, allowUnfinished = false, allowUnrecordedContacts = false } = options
  const prepared = await preparePromotion(trace, {
    name,
    ...(describe === undefined ? {} : { description: describe }),
    ...(expectedOutcome === undefined ? {} : { expectedOutcome }),
    expect: await readExpectation(trace, options),
    force,
    allowUnfinished,
    allowUnrecordedContacts,
  })
  const trial = options.replay ? await tryWithAgent(prepared, terminal) : undefined
  const constants = await chooseConstants(trace, trial?.constants, options, terminal)
  const promotion = trial === undefined ? prepared : await settle(trial, constants, terminal)
  const proof = await proofOf(promotion, options, terminal)
  const isReplayed = trial !== undefined && proof === undefined
  const summary: PromotionSummary = { ...summarize(promotion), ...(isReplayed && { isReplayed }), ...(proof && { incident: proof }) }
  if (options.json !== true) terminal.print(formatPromotion(summary, promotion.trace, terminal).join('\n'))
  if (options.yes !== true) await ask(summary, options, terminal)
  await writePromotion(promotion, { force })
  if (options.json === true) terminal.printJson(summary)
  else terminal.print(`Wrote ${summary.file}.`)
}

/** Replays the golden with the agent that the config names, before it is kept; undefined where it names none. */
async function tryWithAgent(promotion: Promotion, terminal: Terminal): Promise<Trial | undefined> {
  const loaded = await loadConfig()
  const { agent: name } = promotion.trace.header
  const restore = terminal.divert()
  // As its file will be replayed.
  const outside = guardOutside()
  outside.declare(loaded.config)
  try {
    const agent = await loadAgent(loaded, name)
    if (agent === undefined) return undefined
    const { onDivergence: _, store: __, ...options } = await replayOptionsOf(loaded.config, name)
    return await tryPromotion(promotion, agent, options)
  } finally {
    outside.release()
    outside.tell(displayPath(promotion.file))
    restore()
  }
}

/** What the agent prints when it is replayed once more is no part of what the command prints. */
async function settle(trial: Trial, constants: readonly CodeConstant[], terminal: Terminal): Promise<Promotion> {
  const restore = terminal.divert()
  try {
    return await trial.settle(constants)
  } finally {
    restore()
  }
}

/** The constants of the code that the golden holds as they are: those that are named, and those that a person says yes to. */
async function chooseConstants(
  trace: Trace,
  constants: readonly CodeConstant[] | undefined,
  { keepConstant = [], yes, json }: PromoteCommandOptions,
  { isInteractive, confirm }: Terminal,
): Promise<CodeConstant[]> {
  const named = constantsToKeep(trace, constants, keepConstant)
  if (yes === true || json === true || !isInteractive) return named
  const chosen: CodeConstant[] = []
  for (const constant of constants ?? []) {
    const unsure = constant.alsoGiven ? ' The run was given a value there, too: only you know whether it is this one.' : ''
    const question = `The code brings ${tellConstant(constant)}.${unsure} Keep it as it is, so that a change of it does not hold?`
    if (named.includes(constant) || (await confirm(question))) chosen.push(constant)
  }
  return chosen
}

async function readExpectation(
  trace: Trace,
  { incident, answers, check, trigger, allowWrite, runTool }: PromoteCommandOptions,
): Promise<Expectation> {
  if (incident === undefined) return { replay: 'same' }
  return expectDeparture(trace, {
    ...(incident === true ? {} : { at: incident }),
    ...(answers === undefined ? {} : { answers: await readAnswers(answers) }),
    ...omitUndefined({ checks: check, trigger, allowWrites: allowWrite }),
    ...(runTool && { tools: Object.fromEntries(runTool.map((name) => [name, 'run'])) }),
  })
}

async function ask({ file }: PromotionSummary, { json }: PromoteCommandOptions, { isInteractive, confirm }: Terminal): Promise<void> {
  if (json === true || !isInteractive) {
    const reason = json === true ? '--json prints nothing but the result, a question included' : 'there is no terminal to ask at'
    throw new GoldenrunError('GOLDENRUN_PROMOTE_UNCONFIRMED', `Did not write ${file}: ${reason}. To promote without being asked: --yes`)
  }
  if (!(await confirm('Keep it?'))) throw new GoldenrunError('GOLDENRUN_PROMOTE_UNCONFIRMED', `Did not write ${file}.`)
}

function summarize(promotion: Promotion): PromotionSummary {
  const { golden } = promotion.trace.header
  if (golden === undefined) throw new TypeError('a promotion has no golden header')
  return summarizePromotion(promotion, golden)
}
