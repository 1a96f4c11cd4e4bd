import type { Command } from 'commander'
import { loadConfig } from '../config/load-config.ts'
import { guardOutside } from '../goldens/guard-outside.ts'
import { preparePromotion, tryPromotion, writePromotion, type Promotion, type Trial } from '../replay/goldens/promote.ts'
import { type CodeConstant, constantsToKeep, tellConstant } from '../replay/goldens/promotion/constants.ts'
import { expectDeparture } from '../replay/goldens/promotion/expect-departure.ts'
import { displayPath } from '../node/display-path.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { omitUndefined } from '../trace/json.ts'
import type { Check, Expectation } from '../trace/run-row.ts'
import type { Trace } from '../trace/trace.ts'
import { parseCheck, parseMore, parseStep, parseTrigger, readAnswers } from './incident-options.ts'
import { configuredAgent, proofOf } from './incident-proof.ts'
import { formatPromotion, summarizePromotion, type PromotionSummary } from './promotion-summary.ts'
import { readRun, RUN_ARGUMENT } from './read-run.ts'
import { jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { diverted, type Terminal } from './terminal.ts'

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
    .summary('promote a recording to a golden trace')
    .description(
      'Promotes a recording to a golden trace, which replays are compared with. Shows what it will keep, and asks for confirmation.',
    )
    .requiredOption('--name <name>', 'the name of the golden trace, and of its file')
    .option('--describe <sentence>', 'what the run is about')
    .option('--expect <sentence>', 'the expected outcome; printed when a replay does not hold')
    .option(
      '--incident [step]',
      'the run went wrong: hold when the agent no longer makes this step (default: the first repeated side effect)',
      parseStep,
    )
    .option('--answers <file>', 'with --incident: a JSON file with answers for the calls of the fixed agent, by tool or host')
    .option(
      '--check <matcher>',
      'with --incident: a check that the fixed agent has to pass, such as \'toHaveCalledTool("find_refund")\'; repeatable',
      parseCheck,
    )
    .option(
      '--keep-constant <path>',
      "keep an e-mail address, card or phone number that is in the agent's source, by a path where the agent passes it (args.to); repeatable",
      parseMore,
    )
    .option(
      '--trigger <step>',
      "with --incident: the step whose outcome triggered it, or 'input' (default: the first of the repeated calls)",
      parseTrigger,
    )
    .option(
      '--allow-write <name>',
      'with --incident: a write that the agent may make after the trigger, by tool or request; repeatable',
      parseMore,
    )
    .option('--run-tool <name>', 'with --incident: a tool whose function runs, for a fix inside the tool; repeatable', parseMore)
    .option('--witness <ref>', 'with --incident: a commit that has the bug; its agent has to reproduce the incident')
    .option('--allow-unverified-incident', 'with --incident: promote it even if no agent reproduces the incident')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--force', 'replace an existing golden trace of that name')
    .option('--no-replay', 'do not first replay it with the agent from goldenrun.config.ts')
    .option('--allow-unfinished', 'promote a run that did not end')
    .option('--allow-unrecorded-contacts', 'promote a run that made unrecorded contacts')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (run: string, options: PromoteCommandOptions, command: Command) => {
      const [needless] = options.incident === undefined ? incidentOptions.filter(([name]) => options[name] !== undefined) : []
      if (needless !== undefined) command.error(`error: ${needless[1]} requires --incident`)
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

interface PromoteCommandOptions extends StoreOptions {
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
  // The output of the agent in this second replay is kept out of the command's output.
  const promotion = trial === undefined ? prepared : await diverted(terminal, () => trial.settle(constants))
  const proof = await proofOf(promotion, options, terminal)
  const isReplayed = trial !== undefined && proof === undefined
  const summary: PromotionSummary = { ...summarize(promotion), ...(isReplayed && { isReplayed }), ...(proof && { incident: proof }) }
  if (options.json !== true) terminal.print(formatPromotion(summary, promotion.trace, terminal).join('\n'))
  if (options.yes !== true) await ask(summary, options, terminal)
  await writePromotion(promotion, { force })
  if (options.json === true) terminal.printJson(summary)
  else terminal.print(`Wrote ${summary.file}.`)
}

/** Replays the golden with the config's agent before it is written; undefined if the config does not name it. */
async function tryWithAgent(promotion: Promotion, terminal: Terminal): Promise<Trial | undefined> {
  const loaded = await loadConfig()
  // The same conditions as when its file is replayed.
  const outside = guardOutside()
  outside.declare(loaded.config)
  outside.knows(promotion.trace)
  return await diverted(terminal, async () => {
    try {
      const configured = await configuredAgent(loaded, promotion.trace.header.agent)
      return configured && (await tryPromotion(promotion, configured.agent, configured.options))
    } finally {
      outside.release()
      outside.tell(displayPath(promotion.file))
    }
  })
}

/** The constants of the code that the golden keeps unredacted: those named by options, and those that the user confirms. */
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
    const unsure = constant.alsoGiven ? ' The run was given a value there, too: only you know whether it is the same.' : ''
    const question = `The code passes ${tellConstant(constant)}.${unsure} Keep the value, so that a replay does not hold once it changes?`
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
    const reason = json === true ? '--json prints only the result and cannot ask' : 'there is no terminal to prompt in'
    throw new GoldenrunError('GOLDENRUN_PROMOTE_UNCONFIRMED', `Did not write ${file}: ${reason}. To promote without confirmation: --yes`)
  }
  if (!(await confirm('Keep it?'))) throw new GoldenrunError('GOLDENRUN_PROMOTE_UNCONFIRMED', `Did not write ${file}.`)
}

function summarize(promotion: Promotion): PromotionSummary {
  const { golden } = promotion.trace.header
  if (golden === undefined) throw new TypeError('a promotion has no golden header')
  return summarizePromotion(promotion, golden)
}
