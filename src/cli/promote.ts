import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { preparePromotion, writePromotion, type Promotion } from '../replay/goldens/promotion.ts'
import { checkConversation } from '../replay/goldens/promotion/check-conversation.ts'
import { type CodeConstant, constantsAt, constantsOfModules, constantsToKeep, tellConstant } from '../replay/goldens/promotion/constants.ts'
import { expectDeparture } from '../replay/goldens/promotion/expect-departure.ts'
import { refuseIdle } from '../goldens/refuse-idle.ts'
import { renewOf } from '../goldens/accepted/renew-of.ts'
import { readEarlier } from '../replay/traces/earlier-goldens.ts'
import { toStore } from '../stores/default-store.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { omitUndefined } from '../trace/json.ts'
import type { Check, Expectation, Golden } from '../trace/run-row.ts'
import type { Trace } from '../trace/trace.ts'
import { parseCheck, parseMore, parseStep, parseTrigger, readAnswers } from './incident-options.ts'
import { proofOf, type ProofOptions } from './incident-proof.ts'
import { markPromoted } from './mark-promoted.ts'
import { type PromotionPlace, placesOf } from './promotion-places.ts'
import { formatPromotion, summarizePromotion, type PromotionSummary } from './promotion-summary.ts'
import { readRun, RUN_ARGUMENT } from './read-run.ts'
import { needNetwork } from './replay-journal.ts'
import { compareReplaced, formatReplaced, type Replacement } from './replaced-golden.ts'
import { isLocal, jsonOption, networkOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { diverted, type Terminal } from './terminal.ts'
import { createTrials, type TryPromotion } from './try-promotions.ts'

const EXAMPLES = `
Examples:
  $ npx goldenrun promote latest --name cancel-unshipped
  $ npx goldenrun promote 20261121-021406 --name refund-twice --incident \\
      --describe "The refund API timed out after it had acted" --expect "One refund is booked"
  $ npx goldenrun promote latest~1 latest --name refund-talk

A golden trace is a file in golden-traces/, to be committed and reviewed like code. A test that holds your agent to it:
  expect(await replay('cancel-unshipped', agent)).toReplayWithoutDivergence()`

/** `goldenrun promote <run…>` */
export function addPromoteCommand(program: Command, terminal: Terminal): void {
  program
    .command('promote')
    .argument('<run...>', `${RUN_ARGUMENT}; several for the runs of one conversation, in their order`)
    .summary('promote a recording to a golden trace')
    .description(
      'Promotes a recording to a golden trace, which replays are compared with. Shows what it will keep, and asks for confirmation.',
    )
    .requiredOption('--name <name>', 'the name of the golden trace, and of its file; with several runs, of their folder')
    .option('--follows <golden>', 'the golden of the run before it in its conversation, which is replayed first')
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
      'with --incident: a check that the fixed agent has to pass, such as \'toHaveCalledTool("find_refund")\', or with "not." must not; repeatable',
      parseCheck,
    )
    .option(
      '--keep-constant <path>',
      'keep an e-mail address, card or phone number that is in git-tracked data of the agent, by a path where the agent passes it (args.to); repeatable',
      parseMore,
    )
    .option('--no-keep-constants', "do not keep those that are literally in the agent's modules")
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
    .addOption(networkOption())
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (runs: readonly string[], options: PromoteCommandOptions, command: Command) => {
      const needless = options.incident === undefined ? incidentOptions.find((name) => options[name] !== undefined) : undefined
      const flag = command.options.find((option) => option.attributeName() === needless)?.long
      if (flag !== undefined) command.error(`error: ${flag} requires --incident`)
      const store = await storeOf(options.store)
      needNetwork(options.network === true || !isLocal(store))
      const goldens = await promoteRuns(await Promise.all(runs.map((run) => readRun(run, store))), options, terminal)
      await markPromoted(toStore(store).store, goldens, terminal)
    })
}

/** Options that only apply to incidents. */
const incidentOptions = ['answers', 'check', 'trigger', 'allowWrite', 'runTool', 'witness', 'allowUnverifiedIncident'] as const

interface PromoteCommandOptions extends StoreOptions, ProofOptions {
  readonly name: string
  readonly follows?: string
  readonly describe?: string
  readonly expect?: string
  /** True if no step was named. */
  readonly incident?: number | true
  readonly answers?: string
  readonly check?: readonly Check[]
  readonly trigger?: number | 'input'
  readonly allowWrite?: readonly string[]
  readonly runTool?: readonly string[]
  readonly keepConstant?: readonly string[]
  readonly keepConstants: boolean
  readonly yes?: true
  readonly network?: true
  readonly force?: true
  readonly allowUnfinished?: true
  readonly allowUnrecordedContacts?: true
}

/** Promotes a run, or the runs of a conversation. All of them are tried, shown and confirmed before the first golden is written. */
async function promoteRuns(traces: readonly Trace[], options: PromoteCommandOptions, terminal: Terminal): Promise<Golden[]> {
  const places = await placesOf(traces, options)
  const trial = createTrials(terminal)
  const settled: SettledPromotion[] = []
  for (const place of places) settled.push(await settle(place, settled, trial, options, terminal))
  const summaries = settled.map(({ summary }) => summary)
  if (options.json !== true) terminal.print(settled.map((each) => formatSettled(each, terminal).join('\n')).join('\n\n'))
  if (options.yes !== true) await ask(summaries, options, terminal)
  for (const { promotion } of settled) await writePromotion(promotion, { force: options.force ?? false })
  if (options.json === true) terminal.printJson(summaries.length > 1 ? { goldens: summaries } : { ...summaries[0] })
  else terminal.print(summaries.map(({ file }) => `Wrote ${file}.`).join('\n'))
  // An incident golden does not hold until the agent is fixed.
  const replayed = settled.flatMap(({ promotion, summary }) => (summary.isReplayed === true ? [promotion.file] : []))
  const lines = await renewOf(replayed)
  if (options.json !== true && lines.length > 0) terminal.print(lines.join('\n'))
  return settled.flatMap(({ promotion }) => promotion.trace.header.golden ?? [])
}

function formatSettled({ summary, promotion, replacement }: SettledPromotion, terminal: Terminal): string[] {
  return [
    ...formatPromotion(summary, promotion.trace, terminal),
    ...(replacement === undefined ? [] : formatReplaced(replacement, terminal)),
  ]
}

/** A golden that was tried. */
interface SettledPromotion {
  readonly promotion: Promotion
  /** What changes in the golden of that name. Absent if there is none. */
  readonly replacement: Replacement | undefined
  readonly summary: PromotionSummary
  readonly constants: readonly CodeConstant[] | undefined
}

async function settle(
  { trace, isLast, ...named }: PromotionPlace,
  earlier: readonly SettledPromotion[],
  tryGolden: TryPromotion,
  options: PromoteCommandOptions,
  terminal: Terminal,
): Promise<SettledPromotion> {
  const { describe: description, force, allowUnfinished, allowUnrecordedContacts } = options
  const expectedOutcome = isLast ? options.expect : undefined
  const prepared = await preparePromotion(trace, {
    ...named,
    ...omitUndefined({ description, expectedOutcome, force, allowUnfinished, allowUnrecordedContacts }),
    expect: isLast ? await readExpectation(trace, options) : { replay: 'same' },
  })
  const after = earlier.length === 0 ? undefined : earlier.map(({ promotion }) => promotion.trace)
  if (after === undefined) checkConversation([...(await readEarlier(prepared.trace)), prepared.trace])
  await refuseIdle(prepared.trace)
  const trial = options.replay ? await tryGolden(prepared, after) : undefined
  if (isLast) checkKept(trace, [...earlier.map((each) => each.constants), trial?.constants], options)
  const constants = await chooseConstants(trial?.constants, options, terminal)
  // This second replay keeps the agent's output out of the command's output.
  const promotion = trial === undefined ? prepared : await diverted(terminal, () => trial.settle(constants))
  const proof = await proofOf(promotion, options, after && earlier.map((each) => each.promotion), terminal)
  const isReplayed = trial !== undefined && proof === undefined
  const replacement = existsSync(promotion.file) ? await compareReplaced(promotion.file, promotion.trace) : undefined
  const summary = {
    ...summarizePromotion(promotion),
    ...(isReplayed && { isReplayed }),
    ...(proof && { incident: proof }),
    ...(replacement && { replaces: replacement.golden }),
  }
  return { promotion, replacement, summary, constants: trial?.constants }
}

/** Returns the constants of the code that the golden keeps unredacted: those of its modules, those named by options, and those that the user confirms. */
async function chooseConstants(
  constants: readonly CodeConstant[] | undefined,
  { keepConstant = [], keepConstants, yes, json }: PromoteCommandOptions,
  { isInteractive, confirm }: Terminal,
): Promise<CodeConstant[]> {
  const named = [...(keepConstants ? constantsOfModules(constants) : []), ...keepConstant.flatMap((path) => constantsAt(constants, path))]
  if (yes === true || json === true || !isInteractive) return [...new Set(named)]
  const chosen: CodeConstant[] = []
  for (const constant of constants ?? []) {
    const unsure = constant.alsoGiven ? ' The run was also given a value there: only you know whether it is the same.' : ''
    const question = `The code passes ${tellConstant(constant)}.${unsure} Keep the value, so that a replay does not hold once it changes?`
    if (named.includes(constant) || (await confirm(question))) chosen.push(constant)
  }
  return chosen
}

/** @throws PromoteError `GOLDENRUN_PROMOTE_CONSTANT` for a constant to keep that no run has. */
function checkKept(
  last: Trace,
  found: readonly (readonly CodeConstant[] | undefined)[],
  { keepConstant = [] }: PromoteCommandOptions,
): void {
  const missing = keepConstant.filter((path) => found.every((constants) => constantsAt(constants, path).length === 0))
  constantsToKeep(last, found.at(-1), { paths: missing, ofModules: false })
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

async function ask(
  summaries: readonly PromotionSummary[],
  { json }: PromoteCommandOptions,
  { isInteractive, confirm }: Terminal,
): Promise<void> {
  const file = summaries.map((summary) => summary.file).join(', ')
  if (json === true || !isInteractive) {
    const reason = json === true ? '--json prints only the result and cannot ask' : 'there is no terminal to prompt in'
    throw new GoldenrunError('GOLDENRUN_PROMOTE_UNCONFIRMED', `Did not write ${file}: ${reason}. To promote without confirmation: --yes`)
  }
  if (!(await confirm(summaries.length === 1 ? 'Keep it?' : 'Keep them?')))
    throw new GoldenrunError('GOLDENRUN_PROMOTE_UNCONFIRMED', `Did not write ${file}.`)
}
