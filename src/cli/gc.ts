import { type Command, Option } from 'commander'
import { loadConfig } from '../config/load-config.ts'
import { CapabilityError } from '../stores/errors/capability-error.ts'
import { everyRun } from '../stores/every-run.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { toLifecycle } from '../stores/lifecycle.ts'
import { promotedSources } from '../stores/promoted-sources.ts'
import { underLease } from '../stores/under-lease.ts'
import { checkRetentionOptions, createRetention, type Expired, retentionFor, type RetentionOptions } from '../stores/retention.ts'
import { removesSecrets } from '../stores/secrets/removes-secrets.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { configSecretStore } from './config-secrets.ts'
import { tellReading, withProgress } from './progress.ts'
import { directoryAt } from '../stores/store-url.ts'
import { releasePromoted } from './mark-promoted.ts'
import { removeRecordings } from './remove-recordings.ts'
import { findingStoreOf, jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { formatTable } from './table.ts'
import type { Terminal } from './terminal.ts'
import { count, formatBytes } from './units.ts'
import { tellUnreadable, UnreadableRuns } from './unreadable.ts'

/** `goldenrun gc` */
export function addGcCommand(program: Command, terminal: Terminal): void {
  program
    .command('gc')
    .summary('remove expired recordings')
    .description(
      'Lists expired recordings, and removes them with --delete. How long recordings are kept is set under "retention" in\n' +
        'goldenrun.config.ts, or by the options: a duration ("30d"), a size ("5GB"), both ("30d, 5GB") or "forever". By default, a\n' +
        'directory keeps 20 GB of successful runs and everything else.',
    )
    .addOption(storeOption())
    .option('--failed <limit>', 'how long to keep runs that threw, or whose process died')
    .option('--flagged <limit>', 'how long to keep flagged runs')
    .option('--successful <limit>', 'how long to keep all other runs')
    .option('--test <limit>', 'how long to keep runs with the tag origin=test')
    .option('--promoted <limit>', 'how long to keep recordings that goldens were promoted from')
    .option('--tag <tag:limit>', 'how long to keep runs with a tag: plan=free:3d; repeatable', toTagLimits)
    .option('--delete', 'remove the expired recordings')
    .option('--yes', 'the same as --delete')
    .option('--release', 'first release the recordings whose goldens are no longer in this project')
    .addOption(new Option('--lifecycle [prefix]', 'print the retention as lifecycle rules for an S3 bucket, and do nothing else'))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ npx goldenrun gc --successful 7d --failed 90d\n  $ npx goldenrun gc --successful "30d, 5GB" --delete',
    )
    .action(async ({ store: option, json, delete: removes, yes, release, lifecycle, ...limits }: GcOptions) => {
      if (lifecycle !== undefined) return printLifecycle(await retentionOf(limits, false), lifecycle, terminal)
      const { store: runs, place } = await findingStoreOf(option)
      const secrets = await configSecretStore()
      const store = secrets === undefined ? runs : removesSecrets(runs, secrets)
      if (store.remove === undefined && store.removeMany === undefined)
        throw new CapabilityError('Cannot remove recordings', place, 'remove')
      const location = await storeOf(option)
      const options = await retentionOf(limits, typeof location === 'string' && directoryAt(location) !== undefined)
      if (release === true) await releasePromoted(store, terminal)
      const retention = createRetention(options, await promotedSources(createGoldenDirectory()), Date.now())
      const expired: Expired[] = []
      const kept = { runs: 0, bytes: 0 }
      const left = new UnreadableRuns(store)
      await withProgress(terminal, async ({ tell }) => {
        for await (const run of everyRun(store, {}, { onReading: tellReading(tell), onUnreadable: left.add })) {
          const found = retention.expires(run)
          if (found !== undefined) expired.push(found)
          else [kept.runs, kept.bytes] = [kept.runs + 1, kept.bytes + (run.bytes ?? 0)]
        }
      })
      const isRemoved = removes === true || yes === true
      if (isRemoved) {
        const ids = expired.map(({ run }) => run.id)
        const done = await underLease(store, 'retention', (holds) => removeRecordings(store, ids, holds))
        if (done?.result !== true) throw otherProcess(place)
      }
      await store.flush?.()
      const unreadable = await left.list()
      if (json === true) return terminal.printJson({ ...toJson(expired, kept, isRemoved), unreadable })
      terminal.print(format(expired, kept, isRemoved, place).join('\n'))
      tellUnreadable(unreadable, terminal)
    })
}

function otherProcess(place: string): GoldenrunError {
  return new GoldenrunError(
    'GOLDENRUN_RETENTION',
    `Another process is removing recordings from ${place}, or one on another machine died less than ten minutes ago. Run goldenrun gc again later.`,
  )
}

interface GcOptions extends StoreOptions, Omit<RetentionOptions, 'tags'> {
  readonly tag?: Readonly<Record<string, string>>
  readonly delete?: true
  readonly yes?: true
  readonly release?: true
  /** The prefix of the store in its bucket; true if none was given. */
  readonly lifecycle?: string | true
}

interface Kept {
  readonly runs: number
  readonly bytes: number
}

/** Returns the options, merged with the config. */
async function retentionOf(
  { tag, ...limits }: Pick<GcOptions, 'tag' | keyof Omit<RetentionOptions, 'tags'>>,
  isDirectory: boolean,
): Promise<RetentionOptions> {
  const { config } = await loadConfig()
  const tags = { ...tag, ...config.retention?.tags }
  const options = { ...config.retention, ...limits, ...(Object.keys(tags).length === 0 ? {} : { tags: { ...tags, ...tag } }) }
  checkRetentionOptions('goldenrun gc', options)
  const all = retentionFor(options, isDirectory) ?? options
  if (Object.keys(all).length > 0) return all
  throw new GoldenrunError(
    'GOLDENRUN_RETENTION',
    'No retention is configured, so all recordings are kept. Set "retention" in goldenrun.config.ts, or pass an option: goldenrun gc --successful 7d',
  )
}

/**
 * Prints the lifecycle configuration of a bucket.
 *
 * @param prefix The prefix of the store in its bucket; true if it has none.
 */
function printLifecycle(retention: RetentionOptions, prefix: string | true, terminal: Terminal): void {
  const { lifecycle, withoutSize } = toLifecycle(retention, prefix === true ? '' : prefix.replaceAll(/^\/+|\/+$/g, ''))
  terminal.printJson(lifecycle)
  if (withoutSize.length > 0)
    terminal.printError(`Buckets have no size limits, so goldenrun gc --delete applies these: ${withoutSize.join(', ')}.`)
}

function toJson(expired: readonly Expired[], kept: Kept, isRemoved: boolean): object {
  return {
    removed: isRemoved,
    recordings: expired.map(({ run: { id, agent, status, startedAt, bytes }, rule, why }) => ({
      id,
      agent,
      status,
      startedAt,
      bytes,
      rule,
      why,
    })),
    bytes: bytesOf(expired),
    kept,
  }
}

function format(expired: readonly Expired[], kept: Kept, isRemoved: boolean, place: string): string[] {
  const rest = `${count(kept.runs, 'recording')} (${formatBytes(kept.bytes)}) ${kept.runs === 1 ? 'is' : 'are'} kept.`
  if (expired.length === 0) return [`Nothing to remove in ${place}: ${rest}`]
  const groups = Map.groupBy(expired, ({ rule, why }) => `${rule}\n${why}`)
  const rows = [...groups.values()].map((group) => {
    const [first] = group
    return [first?.rule ?? '', String(group.length), formatBytes(bytesOf(group)), first?.why ?? '']
  })
  const size = `${count(expired.length, 'recording')} (${formatBytes(bytesOf(expired))})`
  return [
    isRemoved ? `Removed ${size} from ${place}:` : `${size} in ${place} would be removed:`,
    ...formatTable(['rule', 'recordings', 'size', 'why'], rows, ['recordings', 'size']).map((line) => `  ${line}`),
    rest,
    ...(isRemoved ? [] : ['To remove them, run this again with --delete.']),
  ]
}

function bytesOf(expired: readonly Expired[]): number {
  return expired.reduce((bytes, { run }) => bytes + (run.bytes ?? 0), 0)
}

function toTagLimits(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const split = text.lastIndexOf(':')
  return { ...before, [split < 1 ? text : text.slice(0, split)]: split < 1 ? '' : text.slice(split + 1) }
}
