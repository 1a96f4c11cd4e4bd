import type { Command } from 'commander'
import { loadConfig } from '../config/load-config.ts'
import { type Cost, type CostsInput, costsOfMonth, type Prices, requestsOfHour } from '../fleet/bucket-costs.ts'
import { measurePacked, type PackedRuns } from '../fleet/measure-packed.ts'
import { CapabilityError } from '../stores/errors/capability-error.ts'
import { everyRun } from '../stores/every-run.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { numberOption } from './number-option.ts'
import { parseAboveZero } from './run-filters.ts'
import { findingStoreOf, jsonOption, type StoreOptions, storeOption } from './shared-options.ts'
import { formatTable } from './table.ts'
import type { Terminal } from './terminal.ts'
import { count, formatBytes } from './units.ts'

/** `goldenrun costs` */
export function addCostsCommand(program: Command, terminal: Terminal): void {
  program
    .command('costs')
    .summary('compute what a month of recordings costs in a bucket')
    .description(
      `Packs the newest ${MOST} recordings of a store in memory, as ship packs them for a bucket, and computes from their size what a month costs at\n` +
        'your prices, in any currency. Prices have no defaults: they differ by provider and region.',
    )
    .addOption(storeOption())
    .requiredOption('--runs-per-day <number>', 'how many runs there are in a day', toAmount)
    .option('--days <number>', 'how many days they are kept', toAmount, 90)
    .option('--machines <number>', 'how many machines ship, each from a spool of its own', parseAboveZero, 1)
    .requiredOption('--gigabyte-month <price>', 'what a gigabyte costs a month, such as 0.023', toAmount)
    .requiredOption('--thousand-writes <price>', 'what 1,000 requests that write or list (PUT, LIST) cost, such as 0.005', toAmount)
    .requiredOption('--thousand-reads <price>', 'what 1,000 requests that read (GET) cost, such as 0.0004', toAmount)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  $ npx goldenrun costs --runs-per-day 1400000 --gigabyte-month 0.023 --thousand-writes 0.005 --thousand-reads 0.0004',
    )
    .action(async (options: CostsOptions) => {
      const { packed, place } = await packNewest(options.store)
      const costs = costsOf(packed, options)
      if (options.json === true) return terminal.printJson({ ...packed, costs })
      terminal.print(format(packed, costs, place, options).join('\n'))
    })
}

interface CostsOptions extends StoreOptions, Prices, Pick<CostsInput, 'runsPerDay' | 'days'> {
  readonly machines: number
}

/** The number of recordings that are packed. */
const MOST = 500
/** A version of an agent gets a dictionary from this number of recordings. */
const WITH_DICTIONARY = 75
/** `ship --watch` looks for runs once a minute. */
const PASSES = 60

async function packNewest(option: string | undefined): Promise<{ readonly packed: PackedRuns; readonly place: string }> {
  const { store, place } = await findingStoreOf(option)
  if (store.readLog === undefined) throw new CapabilityError('Cannot pack recordings', place, 'readLog')
  const runs = []
  for await (const summary of everyRun(store, {}, { page: MOST })) {
    const log = summary.status === 'in-flight' ? undefined : await store.readLog(summary.id)
    if (log !== undefined) runs.push({ summary, log })
    if (runs.length === MOST) break
  }
  if (runs.length === 0)
    throw new GoldenrunError('GOLDENRUN_STORAGE', `${place} has no finished recordings to compute costs from. Record some first.`)
  const { config } = await loadConfig()
  return { packed: await measurePacked(runs, config.retention), place }
}

function costsOf(packed: PackedRuns, { runsPerDay, days, machines, ...prices }: CostsOptions): readonly Cost[] {
  const groups = packed.groups.map(({ className, runs }) => ({ className, runs: ((runs / packed.runs) * runsPerDay) / 24 }))
  const bytesPerRun = (packed.packBytes + packed.indexBytes) / packed.runs
  return costsOfMonth({ runsPerDay, days, bytesPerRun, requestsPerHour: requestsOfHour(groups, PASSES, machines), prices })
}

function format(packed: PackedRuns, costs: readonly Cost[], place: string, { runsPerDay, days }: CostsOptions): string[] {
  const { runs, lineBytes, packBytes, indexBytes, fewestOfVersion } = packed
  const each = (bytes: number): string => formatBytes(Math.round(bytes / runs))
  const rows = costs.map(({ item, amount, cost }) => [
    item,
    item === 'storage' ? formatBytes(amount * 1e9) : Math.round(amount).toLocaleString('en'),
    cost.toFixed(2),
  ])
  const sum = costs.reduce((all, { cost }) => all + cost, 0)
  return [
    `${count(runs, 'recording')} of ${place}, packed: ${each(packBytes)} a run, and ${each(indexBytes)} in the index (${each(lineBytes)} as JSON lines).`,
    ...(fewestOfVersion < WITH_DICTIONARY
      ? [`From ${WITH_DICTIONARY} recordings of a version of an agent on, a dictionary makes them smaller. Here, some versions have fewer.`]
      : []),
    '',
    `A month with ${runsPerDay.toLocaleString('en')} runs a day, each kept for ${count(days, 'day')}:`,
    ...formatTable(['', 'amount', 'cost'], [...rows, ['in all', '', sum.toFixed(2)]], ['amount', 'cost']).map((line) => `  ${line}`),
    '',
    'Not included: transfer out of the region of the bucket, and reading recordings later.',
  ]
}

const toAmount = numberOption('a number, such as 1400000 or 0.023', (amount) => amount >= 0 && amount < Infinity)
