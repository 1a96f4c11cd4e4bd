import type { Command } from 'commander'
import { loadConfig } from '../config/load-config.ts'
import { createRedactor } from '../redaction/redactor.ts'
import { createRuleSet } from '../redaction/rule-set.ts'
import { displayPath } from '../node/display-path.ts'
import { removesSecrets } from '../stores/secrets/removes-secrets.ts'
import type { SecretStore } from '../stores/secrets/secret-store.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { confirmChange } from './confirm-change.ts'
import { configSecrets } from './config-secrets.ts'
import { DIVERGED } from './exit-status.ts'
import { type CustomerRun, type CustomerRuns, findCustomerRuns, type WantedRuns } from './forget/customer-runs.ts'
import { findGoldensOf, type GoldensOfRuns } from './forget/goldens-of-runs.ts'
import { tellReading, withProgress } from './progress.ts'
import { removeRecordings } from './remove-recordings.ts'
import { toTags } from './run-filters.ts'
import { jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { changeAlone, type StoreTier, tiersOf } from './store-tiers.ts'
import { formatTable } from './table.ts'
import type { Terminal } from './terminal.ts'
import { count, formatBytes, formatTime } from './units.ts'
import { openSecretStore } from '../stores/secrets/secrets-options.ts'

/** `goldenrun forget` */
export function addForgetCommand(program: Command, terminal: Terminal, onStatus: (status: number) => void): void {
  program
    .command('forget')
    .summary("remove one customer's recordings")
    .description(
      'Removes the recordings with a tag, or the named ones, from the store, its index and the store of secrets of the config, whatever\n' +
        'the retention says. Lists them and asks first. Goldens that were made from them are named, and stay.',
    )
    .option('--tag <name=value>', 'the runs with this tag; repeatable: those with all of them', toTags)
    .option('--run <id>', 'a run, by its id or its first characters; repeatable', toIds)
    .option('--in-flight', 'also runs without an end that started less than a day ago: only if their processes have ended')
    .addOption(storeOption())
    .option('--dry-run', 'list what would be removed, and remove nothing')
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ npx goldenrun forget --tag user=42 --dry-run\n  $ npx goldenrun forget --tag user=42 --store s3://recordings/support --yes' +
        '\n\nThe command can be killed at any time, and repeated: at once on the same Linux machine, elsewhere ten minutes later.' +
        '\nExit status: 0 nothing is left, 1 something stays: a run in flight, an unreadable recording or a golden, 2 could not run.',
    )
    .action(async (options: ForgetOptions) => {
      const status = await forget(options, terminal)
      if (status !== undefined) onStatus(status)
    })
}

interface ForgetOptions extends StoreOptions, WantedRuns {
  readonly inFlight?: true
  readonly dryRun?: true
  readonly yes?: true
}

/** What is found, and what is done with it. */
interface Found extends CustomerRuns, Pick<GoldensOfRuns, 'goldens'> {
  /** The runs to remove. */
  readonly removed: readonly CustomerRun[]
  /** The runs that stay, because they may still be written. */
  readonly underWay: readonly CustomerRun[]
}

/** Where the command removes recordings from. */
interface Places {
  readonly tiers: readonly StoreTier[]
  readonly secrets: { readonly store: SecretStore; readonly place: string } | undefined
}

async function forget(options: ForgetOptions, terminal: Terminal): Promise<number | undefined> {
  if (options.tag === undefined && options.run === undefined)
    throw new GoldenrunError('GOLDENRUN_FORGET', 'Name whose runs to forget: goldenrun forget --tag user=42, or --run <id>')
  const where = await placesOf(options)
  const found = await find(options, where, terminal)
  const isNothing = found.removed.length + found.secretsOnly.length === 0
  await checkTag(options, isNothing, terminal)
  const isRemoved = !isNothing && options.dryRun !== true
  if (options.json !== true) {
    const lines = format(found, where)
    if (lines.length > 0) terminal.print(lines.join('\n'))
    for (const { message } of found.unreadable) terminal.printError(message)
  }
  if (isRemoved) {
    await confirmChange(`Remove ${count(idsOf(found).length, 'run')} for good?`, 'Removed nothing', options, terminal)
    await remove(found, where, options, terminal)
  }
  if (options.json === true) terminal.printJson(toJson(found, where, isRemoved))
  else terminal.print(conclusion(found, isNothing, isRemoved))
  return found.underWay.length + found.unreadable.length + found.goldens.length > 0 ? DIVERGED : undefined
}

async function placesOf({ store }: ForgetOptions): Promise<Places> {
  const secrets = await configSecrets()
  const opened = secrets && openSecretStore('goldenrun', secrets).store
  const tiers = tiersOf(await storeOf(store), 'Cannot forget recordings', [['remove', 'removeMany']])
  if (secrets === undefined || opened === undefined) return { tiers, secrets: undefined }
  const place = typeof secrets.store === 'string' ? displayPath(secrets.store) : 'the store of secrets'
  return { tiers: tiers.map((tier) => ({ ...tier, store: removesSecrets(tier.store, opened) })), secrets: { store: opened, place } }
}

async function find(options: ForgetOptions, { tiers, secrets }: Places, terminal: Terminal): Promise<Found> {
  return withProgress(terminal, async ({ tell }) => {
    const found = await findCustomerRuns(options, tiers, secrets?.store, tellReading(tell))
    const { goldens, unreadable } = await findGoldensOf(found, options)
    const isLeft = ({ isUnderWay }: CustomerRun): boolean => isUnderWay && options.inFlight !== true
    return {
      ...found,
      goldens,
      unreadable: [...found.unreadable, ...unreadable],
      removed: found.runs.filter((run) => !isLeft(run)),
      underWay: found.runs.filter(isLeft),
    }
  })
}

/** Redaction may have put a stand-in in place of a tag's value, so that nothing can be found by it. */
async function checkTag({ tag }: ForgetOptions, isNothing: boolean, terminal: Terminal): Promise<void> {
  const { config } = await loadConfig()
  const redacted = createRedactor({ ruleSet: createRuleSet(config.redact) }).value({ ...tag })
  const names = Object.entries(tag ?? {}).flatMap(([name, value]) => (redacted[name] === value ? [] : [name]))
  if (names.length === 0) return
  const problem =
    `Redaction replaces this value of the tag ${names.map((name) => JSON.stringify(name)).join(', ')}, so a recording has a stand-in there and is ` +
    'not found by it. Find its runs in another way, and name them: --run <id>. Tag runs with an id that is not personal data, such as user=42.'
  if (isNothing) throw new GoldenrunError('GOLDENRUN_FORGET', problem)
  terminal.printError(problem)
}

/** Removes the runs, and looks whether any of them is left. */
async function remove(found: Found, { tiers, secrets }: Places, options: ForgetOptions, terminal: Terminal): Promise<void> {
  await withProgress(terminal, async ({ tell }) => {
    // The recording of these runs is gone, but their redacted values are still kept.
    for (const id of found.secretsOnly) await secrets?.store.remove(id)
    for (const tier of tiers) {
      const ids = found.removed.flatMap((run) => (run.tier === tier ? [run.id] : []))
      if (ids.length === 0) continue
      tell(`Removing ${count(ids.length, 'recording')} from ${tier.place}`)
      await changeAlone(tier, async (holds) => (await removeRecordings(tier.store, ids, holds)) || undefined)
      await tier.store.flush?.()
    }
    const left = await findCustomerRuns({ ...options, run: found.named, complete: false }, tiers, secrets?.store)
    const still = left.runs.find(({ isUnderWay }) => !isUnderWay || options.inFlight === true)
    if (still !== undefined)
      throw new GoldenrunError(
        'GOLDENRUN_FORGET',
        `${still.file} is still there, or is there again: another process stored it meanwhile. Run the same command again.`,
      )
  })
}

function toIds(id: string, before: readonly string[] = []): readonly string[] {
  return [...before, id]
}

function idsOf({ removed, secretsOnly }: Found): string[] {
  return [...new Set([...removed.map(({ id }) => id), ...secretsOnly])]
}

function format({ removed, underWay, secretsOnly, goldens }: Found, { tiers, secrets }: Places): string[] {
  const lines = tiers.flatMap((tier) => {
    const runs = removed.filter((run) => run.tier === tier)
    if (runs.length === 0) return []
    const size = runs.reduce((bytes, { summary }) => bytes + (summary?.bytes ?? 0), 0)
    return [`${count(runs.length, 'recording')} in ${tier.place}${size === 0 ? '' : ` (${formatBytes(size)})`}:`, ...listRuns(runs), '']
  })
  const kept = [...new Set([...removed.flatMap(({ id, hasSecrets }) => (hasSecrets ? [id] : [])), ...secretsOnly])]
  if (kept.length > 0 && secrets !== undefined)
    lines.push(`What redaction took out of ${count(kept.length, 'run')}, in ${secrets.place}:`, ...kept.map((id) => `  ${id}`), '')
  if (underWay.length > 0)
    lines.push(
      'In flight, so these stay. Run this again when they have ended, or with --in-flight if their processes have died:',
      ...listRuns(underWay),
      '',
    )
  if (goldens.length > 0)
    lines.push(
      'Goldens made from the runs, which stay. Delete them, or record them again with other data:',
      ...formatTable(
        ['golden', 'from', 'file'],
        goldens.map(({ golden, promotedFrom, file }) => [golden, promotedFrom, file ?? 'in another project']),
      ).map((line) => `  ${line}`),
      '',
    )
  return lines.length === 0 ? [] : lines.slice(0, -1)
}

function listRuns(runs: readonly CustomerRun[]): string[] {
  const rows = runs.map(({ id, summary, file }) => [
    id,
    summary?.agent ?? '',
    summary?.status ?? 'unreadable',
    summary === undefined ? '' : formatTime(summary.startedAt),
    file,
  ])
  return formatTable(['id', 'agent', 'status', 'started', 'where'], rows).map((line) => `  ${line}`)
}

function conclusion(found: Found, isNothing: boolean, isRemoved: boolean): string {
  if (isNothing) return 'Nothing to remove.'
  const size = count(idsOf(found).length, 'run')
  return isRemoved ? `Removed ${size}.` : `Would remove ${size}. To remove: the same without --dry-run.`
}

function toJson({ removed, underWay, secretsOnly, goldens, unreadable }: Found, { secrets }: Places, isRemoved: boolean): object {
  const toRun = ({ id, tier, file, summary, hasSecrets }: CustomerRun): object => ({
    id,
    ...(summary && { agent: summary.agent, status: summary.status, startedAt: summary.startedAt }),
    place: tier.place,
    file,
    ...(hasSecrets && { secrets: secrets?.place }),
  })
  return { removed: isRemoved, recordings: removed.map(toRun), secretsOnly, underWay: underWay.map(toRun), goldens, unreadable }
}
