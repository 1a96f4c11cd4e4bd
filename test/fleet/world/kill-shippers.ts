import { spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readPack } from '../../../src/fleet/packs/pack.ts'
import { createS3Store } from '../../../src/fleet/create-s3-store.ts'
import type { ObjectStorage } from '../../../src/fleet/storage/object-storage.ts'
import { S3ObjectStorage } from '../../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../../src/fleet/storage/s3-location.ts'
import { createDirectoryStore } from '../../../src/stores/directory-store.ts'
import { StoreFiles } from '../../../src/stores/store-files.ts'
import type { Random } from '../../support/random.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { startS3World } from './s3-world.ts'
import { createRunMaker, type RunMaker, toStoredLog } from './synthetic-runs.ts'

/** What shippers that were killed left. */
export interface KilledShippers {
  readonly kills: number
  readonly runs: number
  /** What must not be: a run that is lost, that is in two packs, or that is not what was recorded. */
  readonly faults: readonly string[]
}

const program = fileURLToPath(new URL('./ship-program.ts', import.meta.url))
/** How many runs are recorded for each shipper. */
const RUNS = 8
/** A shipper lives so long after it began, in milliseconds. */
const LONGEST = 1500

/**
 * Fills a directory, and starts a shipper on it again and again, which is killed at a random moment; more runs are recorded each time. In the end one
 * is left to finish, and every run is looked for.
 */
export async function killShippers(
  kills: number,
  random: Random,
  onKilled: (kill: number) => void = () => undefined,
): Promise<KilledShippers> {
  await using world = await startS3World()
  await using directory = await createTemporaryDirectory()
  const spool = createDirectoryStore(directory.resolve('runs'))
  const storage = new S3ObjectStorage(toS3Location(world.url))
  const maker = await createRunMaker({ start: Date.now() - 86_400_000, every: 30_000 })
  let runs = 0
  const record = async (): Promise<void> => {
    for (let added = 0; added < RUNS; added += 1) {
      const run = maker.make(runs)
      runs += 1
      await spool.adopt(toStoredLog(run), run.summary)
    }
    await spool.flush()
  }
  for (let kill = 1; kill <= kills; kill += 1) {
    await record()
    const shipper = start(spool.directory, world.url)
    await shipper.says('begun')
    await pause(random.whole(0, LONGEST))
    await shipper.kill()
    await endLeases(spool.directory, storage)
    onKilled(kill)
  }
  const last = start(spool.directory, world.url)
  await last.says('empty')
  await last.kill()
  return { kills, runs, faults: await faultsOf(world.url, storage, await spool.list(), runs, maker) }
}

interface RunningShipper {
  /** Settles once the shipper has printed the word. */
  says(word: string): Promise<void>
  /** Kills it, and settles once it is gone. Throws where it was gone before. */
  kill(): Promise<void>
}

function start(directory: string, url: string): RunningShipper {
  const shipper = spawn(process.execPath, [program, directory, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(shipper, 'exit')
  const printed = on(shipper.stdout.setEncoding('utf8'), 'data', { close: ['end'] })
  let text = ''
  return {
    async says(word) {
      while (!text.includes(word)) {
        const { done, value } = await printed.next()
        if (done === true) throw new Error(`A shipper ended before it said "${word}": ${text}`)
        text += String(value)
      }
    },
    async kill() {
      shipper.kill('SIGKILL')
      const [code, signal] = await exited
      if (signal !== 'SIGKILL') throw new Error(`A shipper ended by itself, with code ${String(code)}, after it said: ${text}`)
    },
  }
}

/** The leases of a dead shipper run out by themselves; nobody waits for that here. */
async function endLeases(directory: string, storage: ObjectStorage): Promise<void> {
  await rm(new StoreFiles(directory).leases('ship'), { recursive: true, force: true })
  for await (const page of storage.list({ prefix: 'leases/' })) for (const { key } of page) await storage.delete(key)
}

async function faultsOf(url: string, storage: ObjectStorage, left: readonly string[], count: number, maker: RunMaker): Promise<string[]> {
  const faults = left.map((id) => `${id} is still in the spool`)
  const packs = new Map<string, number>()
  for await (const page of storage.list({ prefix: 'runs/' }))
    for (const { key } of page) {
      const bytes = key.endsWith('.pack') ? await storage.get(key) : undefined
      for (const { id } of bytes === undefined ? [] : readPack(bytes, key).runs) packs.set(id, (packs.get(id) ?? 0) + 1)
    }
  const bucket = createS3Store(url)
  const known = new Set((await bucket.find({})).runs.map(({ id }) => id))
  for (let number = 0; number < count; number += 1) {
    const { summary, lines } = maker.make(number)
    const { id } = summary
    if (packs.get(id) !== 1) faults.push(`${id} is in ${packs.get(id) ?? 0} packs`)
    if (!known.has(id)) faults.push(`${id} is not found`)
    if ((await bucket.read(id))?.text !== lines) faults.push(`${id} is not what was recorded`)
  }
  if (known.size !== count) faults.push(`${known.size} runs are found, and ${count} were recorded`)
  return faults
}
