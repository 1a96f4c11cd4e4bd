import type { Command } from 'commander'
import { loadConfig } from '../config/load-config.ts'
import type { RuleSet } from '../redaction/rule-set.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { confirmChange } from './confirm-change.ts'
import { DIVERGED } from './exit-status.ts'
import { listSome } from './golden-findings.ts'
import { withProgress } from './progress.ts'
import { scrubGoldens, type ScrubbedGolden } from './scrub/scrub-goldens.ts'
import { scrubRules } from './scrub/scrub-rules.ts'
import { findInStore, type FoundRecording, type FoundRecordings, scrubInStore } from './scrub/scrub-store.ts'
import { jsonOption, storeOf } from './shared-options.ts'
import { changeAlone, type StoreTier, tiersOf } from './store-tiers.ts'
import { formatTable } from './table.ts'
import type { Terminal } from './terminal.ts'
import { count } from './units.ts'
import { tellUnreadable, type Unreadable } from './unreadable.ts'

/** `goldenrun scrub <where>` */
export function addScrubCommand(program: Command, terminal: Terminal, onStatus: (status: number) => void): void {
  program
    .command('scrub')
    .argument(
      '<where>',
      "'goldens' for the golden traces of the project, 'store' for the recordings in the config's store, or a directory or a URL of recordings (s3://bucket/prefix)",
    )
    .summary('redact again what was stored before')
    .description(
      "Applies today's redaction rules, those of goldenrun and of the config, to what was stored before. Lists what they find and asks\n" +
        'first. A golden is replayed with the agent of the config, before and after: the report names those to record again.',
    )
    .option('--rule <name>', 'only this rule; repeatable', (name: string, before: readonly string[] | undefined) => [
      ...(before ?? []),
      name,
    ])
    .option('--dry-run', 'list what the rules find, and change nothing')
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ npx goldenrun scrub goldens --dry-run\n  $ npx goldenrun scrub .goldenrun/runs --rule customer-name --yes' +
        '\n\nThe command can be killed at any time, and repeated: at once on the same Linux machine, elsewhere ten minutes later.' +
        '\nExit status: 0 nothing is left, 1 something is left, or a golden has to be recorded again, 2 could not run.',
    )
    .action(async (where: string, options: ScrubOptions) => {
      const { config } = await loadConfig()
      const ruleSet = scrubRules(config.redact, options.rule)
      const isLeft =
        where === 'goldens' ? await scrubTheGoldens(ruleSet, options, terminal) : await scrubTheStore(where, ruleSet, options, terminal)
      if (isLeft) onStatus(DIVERGED)
    })
}

interface ScrubOptions {
  readonly rule?: readonly string[]
  readonly dryRun?: true
  readonly yes?: true
  readonly json?: true
}

/** Returns whether something is left to do. */
async function scrubTheGoldens(ruleSet: RuleSet, options: ScrubOptions, terminal: Terminal): Promise<boolean> {
  const { goldens, unreadable } = await withProgress(terminal, ({ tell }) => scrubGoldens(ruleSet, tell))
  const names = goldens.map(({ name }) => name)
  const rows = goldens.map(({ name, values, places, holds }) => [name, String(values), verdicts[holds], listSome(places)])
  const isChanged = await decide(options, terminal, {
    lines: rows.length === 0 ? [] : formatTable(['golden', 'values', 'replay', 'where'], rows, ['values']),
    unreadable,
    isNothing: names.length === 0,
    question: `Write ${count(names.length, 'golden')}?`,
  })
  if (isChanged) for (const { name, text } of goldens) await createGoldenDirectory().write(name, text, { force: true })
  const again = goldens.flatMap(({ name, holds }) => (holds === 'no' ? [name] : []))
  const unknown = goldens.flatMap(({ name, holds }) => (holds === 'unknown' ? [name] : []))
  if (options.json === true) terminal.printJson({ scrubbed: isChanged, goldens: goldens.map(toListed), unreadable })
  else {
    terminal.print(conclusion(names.length, 'golden', isChanged))
    if (again.length > 0) terminal.print(`The agent looks into what is redacted now. Record again: ${again.join(', ')}`)
    if (unknown.length > 0) terminal.print(`Their agents are not in the config. Replay in your tests: ${unknown.join(', ')}`)
  }
  return unreadable.length + again.length > 0 || (names.length > 0 && !isChanged)
}

function toListed({ name, file, values, places, holds }: ScrubbedGolden): Omit<ScrubbedGolden, 'text'> {
  return { name, file, values, places, holds }
}

const verdicts: Readonly<Record<ScrubbedGolden['holds'], string>> = {
  yes: 'holds',
  no: 'record it again',
  'not before': 'did not hold before',
  unknown: 'not tried',
}

/** Returns whether something is left to do. */
async function scrubTheStore(where: string, ruleSet: RuleSet, options: ScrubOptions, terminal: Terminal): Promise<boolean> {
  const tiers = tiersOf(where === 'store' ? await storeOf(undefined) : where, 'Cannot scrub recordings', [['replace', 'replaceEach']])
  const found: FoundRecordings[] = []
  await withProgress(terminal, async ({ tell }) => {
    for (const tier of tiers) found.push(await findInStore(tier, ruleSet, tell))
  })
  const recordings = found.flatMap((each) => each.recordings)
  const unreadable: Unreadable[] = found.flatMap((each) => each.unreadable)
  const underWay = found.flatMap((each) => each.underWay)
  const shared = found.flatMap((each) => each.shared)
  const flagged = [...new Set(found.flatMap((each) => each.flagged))]
  const searched = found.reduce((sum, each) => sum + each.searched, 0)
  const rows = recordings.map(({ id, values, file, places }) => [id, String(values), file, listSome(places)])
  const isChanged = await decide(options, terminal, {
    lines: rows.length === 0 ? [] : formatTable(['id', 'values', 'file', 'where'], rows, ['values']),
    unreadable,
    isNothing: recordings.length === 0,
    question: `Redact ${count(recordings.length, 'recording')} again?`,
  })
  if (isChanged) for (const tier of tiers) await scrubTier(tier, recordings, ruleSet, terminal)
  if (options.json === true)
    terminal.printJson({
      scrubbed: isChanged,
      searched,
      recordings: recordings.map(({ tier, ...each }) => ({ ...each, place: tier.place })),
      underWay,
      unreadable,
      shared,
      flagged,
    })
  else {
    terminal.print(`${conclusion(recordings.length, 'recording', isChanged)} ${count(searched, 'recording')} searched.`)
    if (shared.length > 0)
      terminal.print(
        `Texts that recordings share stay, and the rules find something in them. Delete each once no recording needs it: ${shared.join(', ')}`,
      )
    if (flagged.length > 0)
      terminal.print(
        `Flags stay, and the rules find something in the reasons of these runs: ${flagged.join(', ')}. Forget a run to remove its flags.`,
      )
    if (underWay.length > 0) terminal.print(`In flight, and not searched: ${underWay.join(', ')}. Run this again when they have ended.`)
  }
  return unreadable.length + underWay.length + shared.length + flagged.length > 0 || (recordings.length > 0 && !isChanged)
}

async function scrubTier(tier: StoreTier, recordings: readonly FoundRecording[], ruleSet: RuleSet, terminal: Terminal): Promise<void> {
  const ids = recordings.flatMap((each) => (each.tier === tier ? [each.id] : []))
  if (ids.length === 0) return
  await withProgress(terminal, async ({ tell }) => {
    tell(`Writing ${count(ids.length, 'recording')} in ${tier.place}`)
    await changeAlone(tier, (holds) => scrubInStore(tier, ids, ruleSet, holds))
  })
}

interface Decision {
  readonly lines: readonly string[]
  readonly unreadable: readonly Unreadable[]
  readonly isNothing: boolean
  readonly question: string
}

/** Shows what was found, and asks. Returns whether to write. */
async function decide(options: ScrubOptions, terminal: Terminal, { lines, unreadable, isNothing, question }: Decision): Promise<boolean> {
  if (options.json !== true) {
    if (lines.length > 0) terminal.print(lines.join('\n'))
    tellUnreadable(unreadable, terminal)
  }
  if (isNothing || options.dryRun === true) return false
  await confirmChange(question, 'Changed nothing', options, terminal)
  return true
}

function conclusion(number: number, thing: string, isChanged: boolean): string {
  if (number === 0) return `Today's rules find nothing in any ${thing}.`
  const size = count(number, thing)
  return isChanged ? `Scrubbed ${size}.` : `Would scrub ${size}. To write: the same without --dry-run.`
}
