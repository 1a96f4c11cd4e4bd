import type { Command } from 'commander'
import { loadConfig } from '../config/load-config.ts'
import { CapabilityError } from '../stores/errors/capability-error.ts'
import { everyRun } from '../stores/every-run.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { promotedSources } from '../stores/promoted-sources.ts'
import { checkRetentionOptions, createRetention, type Expired, type RetentionOptions } from '../stores/retention.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { tellReading, withProgress } from './progress.ts'
import { findingStoreOf, jsonOption, type StoreOptions, storeOption } from './shared-options.ts'
import { formatTable } from './table.ts'
import type { Terminal } from './terminal.ts'
import { count, formatBytes } from './units.ts'

/** `goldenrun gc` */
export function addGcCommand(program: Command, terminal: Terminal): void {
  program
    .command('gc')
    .summary('remove expired recordings')
    .description(
      'Lists expired recordings, and removes them with --delete. How long recordings are kept is set under "retention" in\n' +
        'goldenrun.config.ts, or by the options: a duration ("30d"), a size ("5GB"), both ("30d, 5GB") or "forever", which is the default.',
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
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ npx goldenrun gc --successful 7d --failed 90d\n  $ npx goldenrun gc --successful "30d, 5GB" --delete',
    )
    .action(async ({ store: option, json, delete: removes, yes, ...limits }: GcOptions) => {
      const { store, place } = await findingStoreOf(option)
      if (store.remove === undefined) throw new CapabilityError('Cannot remove recordings', place, 'remove')
      const retention = createRetention(await retentionOf(limits), await promotedSources(createGoldenDirectory()), Date.now())
      const expired: Expired[] = []
      const kept = { runs: 0, bytes: 0 }
      await withProgress(terminal, async ({ tell }) => {
        for await (const run of everyRun(store, {}, PAGE, tellReading(tell))) {
          const found = retention.expires(run)
          if (found !== undefined) expired.push(found)
          else [kept.runs, kept.bytes] = [kept.runs + 1, kept.bytes + (run.bytes ?? 0)]
        }
      })
      const isRemoved = removes === true || yes === true
      if (isRemoved) for (const { run } of expired) await store.remove(run.id)
      await store.flush?.()
      if (json === true) return terminal.printJson(toJson(expired, kept, isRemoved))
      terminal.print(format(expired, kept, isRemoved, place).join('\n'))
    })
}

const PAGE = 1000

interface GcOptions extends StoreOptions, Omit<RetentionOptions, 'tags'> {
  readonly tag?: Readonly<Record<string, string>>
  readonly delete?: true
  readonly yes?: true
}

interface Kept {
  readonly runs: number
  readonly bytes: number
}

/** The options, merged with the config. */
async function retentionOf({ tag, ...limits }: Pick<GcOptions, 'tag' | keyof Omit<RetentionOptions, 'tags'>>): Promise<RetentionOptions> {
  const { config } = await loadConfig()
  const tags = { ...tag, ...config.retention?.tags }
  const options = { ...config.retention, ...limits, ...(Object.keys(tags).length === 0 ? {} : { tags: { ...tags, ...tag } }) }
  checkRetentionOptions('goldenrun gc', options)
  if (Object.keys(options).length > 0) return options
  throw new GoldenrunError(
    'GOLDENRUN_RETENTION',
    'No retention is configured, so all recordings are kept. Set "retention" in goldenrun.config.ts, or pass an option: goldenrun gc --successful 7d',
  )
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
