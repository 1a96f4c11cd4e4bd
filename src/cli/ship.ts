import { existsSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { loadConfig } from '../config/load-config.ts'
import { createS3Store } from '../fleet/create-s3-store.ts'
import type { ObjectStore } from '../fleet/object-store.ts'
import { Shipper, type Spool } from '../fleet/shipper.ts'
import { wait } from '../fleet/storage/retry.ts'
import { hourOfTime } from '../fleet/object-keys.ts'
import { isTiered } from '../fleet/tiered-store.ts'
import { DURATION_WORDS, parseDuration } from '../stores/amounts.ts'
import { toStore } from '../stores/default-store.ts'
import { CapabilityError } from '../stores/errors/capability-error.ts'
import { canFind } from '../stores/every-run.ts'
import { displayPath } from '../node/display-path.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { withProgress } from './progress.ts'
import { jsonOption, storeOf, type StoreOptions, storeOption } from './shared-options.ts'
import type { Terminal } from './terminal.ts'
import { count } from './units.ts'

/** `goldenrun ship` */
export function addShipCommand(program: Command, terminal: Terminal): void {
  program
    .command('ship')
    .summary('move finished recordings to a bucket')
    .description(
      'Moves finished recordings to a bucket of S3 or a compatible service, a hundred in a pack. A recording is removed from the store\n' +
        'only after its pack was read back. The command can be killed and repeated at any time.',
    )
    .addOption(storeOption())
    .requiredOption('--to <url>', 's3://bucket/prefix?endpoint=https://…&region=…; credentials come from the environment')
    .option(
      '--after <duration>',
      "only recordings that started at least this long ago (default: the tiered store's, or all that have ended)",
      toDuration,
    )
    .option('--watch', 'run until stopped, and wait for full packs')
    .option('--every <duration>', 'with --watch: how long to wait between two passes (default: 60s)', toDuration)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ npx goldenrun ship --to s3://recordings/support --after 72h\n  $ npx goldenrun ship --to s3://recordings/support --watch',
    )
    .action(async (options: ShipCommandOptions) => {
      const { config } = await loadConfig()
      const retention = config.retention ?? {}
      const bucket = createS3Store({ url: options.to, retention })
      const { spool, after } = await spoolOf(options)
      await ship(terminal, spool, bucket, { ...options, after })
    })
}

interface ShipCommandOptions extends StoreOptions {
  readonly to: string
  readonly after?: number | undefined
  readonly watch?: true
  readonly every?: number
}

/** How long after its end an hour is compacted, in milliseconds: by then, most of its runs have arrived. */
const COMPACT_AFTER = 900_000
/** How often hours to compact are looked for, in milliseconds. Each search costs some requests, on every machine that ships. */
const COMPACT_EVERY = 3_600_000

async function ship(
  terminal: Terminal,
  spool: Spool,
  bucket: ObjectStore,
  { after = 0, watch, every = 60_000, json }: ShipCommandOptions,
): Promise<void> {
  const shipper = new Shipper(spool, bucket)
  let compactedAt = -Infinity
  for (;;) {
    try {
      checkSpool(spool)
      const {
        runs,
        waiting,
        unreadable,
        isBusy = false,
      } = await withProgress(terminal, ({ tell }) =>
        shipper.ship({ after, waitsForPacks: watch === true, onShipped: (done) => tell(`${count(done, 'recording')} shipped`) }),
      )
      for (const problem of unreadable) terminal.printError(`Not shipped: ${problem}`)
      if (json !== true && isBusy) terminal.print('Another process is shipping from this store, or died less than a minute ago.')
      else if (json !== true && (runs > 0 || watch !== true)) terminal.print(toText(runs, waiting, bucket.place))
      const isDue = Date.now() - compactedAt >= COMPACT_EVERY
      const compacted = isDue ? await bucket.compact(hourOfTime(new Date(Date.now() - COMPACT_AFTER).toISOString())) : 0
      if (isDue) compactedAt = Date.now()
      if (json === true) terminal.printJson({ shipped: runs, waiting, unreadable, isBusy, compactedHours: compacted ?? 0 })
    } catch (error) {
      // A storage outage ends, and what could not be shipped is still in the spool.
      if (watch !== true || !GoldenrunError.isInstance(error)) throw error
      terminal.printError(error.message)
    }
    if (watch !== true) return
    await wait(every)
  }
}

/** @throws GoldenrunError for a directory that does not exist: with a wrong path, nothing would be shipped and no error shown. */
function checkSpool(spool: Spool): void {
  const directory = 'directory' in spool ? String(spool.directory) : undefined
  if (directory !== undefined && !existsSync(directory))
    throw new GoldenrunError('GOLDENRUN_STORAGE', `There are no recordings at ${displayPath(directory)}: the directory does not exist.`)
}

function toText(runs: number, waiting: number, place: string): string {
  const shipped = `Shipped ${count(runs, 'recording')} to ${place}.`
  return waiting === 0 ? shipped : `${shipped} ${waiting} more ended less than a minute ago, or have not ended yet.`
}

async function spoolOf({
  store: option,
  after,
}: ShipCommandOptions): Promise<{ readonly spool: Spool; readonly after?: number | undefined }> {
  const { store: named, place } = toStore(await storeOf(option))
  const store = isTiered(named) ? named.hot : named
  if (!canFind(store)) throw new CapabilityError('Cannot ship recordings', place, 'find')
  const { readLog, remove, removeMany } = store
  if (readLog === undefined) throw new CapabilityError('Cannot ship recordings', place, 'readLog')
  if (remove === undefined && removeMany === undefined) throw new CapabilityError('Cannot ship recordings', place, 'remove')
  return { spool: store as Spool, after: after ?? (isTiered(named) ? named.after : undefined) }
}

function toDuration(text: string): number {
  const duration = parseDuration(text)
  if (duration === undefined) throw new InvalidArgumentError(`It has to be ${DURATION_WORDS}.`)
  return duration
}
