import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import { readPack } from '../../src/fleet/packs/pack.ts'
import { linesOf } from '../../src/fleet/packs/run-entry.ts'
import { S3ObjectStorage } from '../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../src/fleet/storage/s3-location.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { createRunMaker, type SyntheticRun, toStoredLog } from '../fleet/world/synthetic-runs.ts'
import { endLeases, installPackage, startCommand } from '../support/kill-command.ts'
import { createRandom } from '../support/random.ts'
import { newBucket, setUpShipCommands, world } from '../support/ship-commands.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

setUpShipCommands()

const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
const store = '.goldenrun/runs'
const forget = ['forget', '--tag', 'person=7', '--yes']

/** A person's runs, and those of others. Every third one is the person's. */
interface Runs {
  readonly gone: readonly SyntheticRun[]
  readonly stay: readonly SyntheticRun[]
}

/** Stores runs in the directory, in the bucket, and some of them in both, where a killed shipper left them. */
async function fill(project: TemporaryDirectory, url: string): Promise<Runs> {
  const maker = await createRunMaker({ start: Date.parse('2026-11-20T10:00:00Z'), every: 20_000 })
  const made = Array.from({ length: 30 }, (_, number) => withTag(maker.make(number), number % 3 === 0 ? '7' : '8'))
  const [hot, cold] = [createDirectoryStore(project.resolve(store)), createS3Store(url)]
  for (const [number, run] of made.entries()) if (number % 10 < 6) await hot.adopt(toStoredLog(run), run.summary)
  await hot.flush()
  const shipped = made.filter((_, number) => number % 10 > 4)
  for (let start = 0; start < shipped.length; start += 5)
    await cold.adoptMany(shipped.slice(start, start + 5).map((run) => ({ ...run, log: new Uint8Array(Buffer.from(run.lines)) })))
  await cold.compact('9')
  await project.write(
    'goldenrun.config.ts',
    `import { createDirectoryStore, createTieredStore } from 'goldenrun/stores'
import { createS3Store } from 'goldenrun/stores/s3'
export default { store: createTieredStore({ hot: createDirectoryStore(${JSON.stringify(project.resolve(store))}), cold: createS3Store(${JSON.stringify(url)}), after: '72h' }) }`,
  )
  return { gone: made.filter((_, number) => number % 3 === 0), stay: made.filter((_, number) => number % 3 !== 0) }
}

function withTag({ summary, lines }: SyntheticRun, person: string): SyntheticRun {
  const tags = { ...summary.tags, person }
  const [header = '', ...rest] = lines.split('\n')
  return { summary: { ...summary, tags }, lines: [JSON.stringify({ ...(JSON.parse(header) as object), tags }), ...rest].join('\n') }
}

/** What is wrong after a command: a run that is lost, and with `isDone` one of which something is left. */
async function faultsOf(project: TemporaryDirectory, url: string, { gone, stay }: Runs, isDone: boolean): Promise<string[]> {
  const [hot, cold] = [createDirectoryStore(project.resolve(store)), createS3Store(url)]
  const faults: string[] = []
  for (const { summary, lines } of stay) {
    const stored = [await hot.readLog(summary.id), await cold.readLog(summary.id)].filter((log) => log !== undefined)
    const texts = await Promise.all(stored.map(async (log) => linesOf(await log.bytes(), log.file)))
    if (texts.length === 0 || texts.some((text) => text !== lines)) faults.push(`${summary.id} is lost`)
  }
  if (!isDone) return faults
  const left = new Set<string>()
  const storage = new S3ObjectStorage(toS3Location(url))
  for await (const page of storage.list({ prefix: 'runs/' }))
    for (const { key } of page)
      if (key.endsWith('.pack')) for (const { id } of readPack((await storage.get(key)) ?? new Uint8Array(), key).runs) left.add(id)
  for (const id of [...(await cold.list()), ...(await hot.list())]) left.add(id)
  const files = readdirSync(project.resolve('.goldenrun'), { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const texts = files.map((file) => `${file.name} ${readFileSync(path.join(file.parentPath, file.name), 'latin1')}`)
  for (const { summary } of gone)
    if (left.has(summary.id) || texts.some((text) => text.includes(summary.id))) faults.push(`${summary.id} is left`)
  return faults
}

it(
  `loses no other run if it is killed, and leaves nothing once it is repeated (GOLDENRUN_SEED=${seed})`,
  { timeout: 120_000 },
  async () => {
    const random = createRandom(seed)
    let duration = 1500
    await using project = await createTemporaryDirectory()
    await installPackage(project.path)
    for (let kill = 0; kill < 4; kill += 1) {
      await rm(project.resolve('.goldenrun'), { recursive: true, force: true })
      const url = newBucket()
      const runs = await fill(project, url)
      const begun = Date.now()
      const command = startCommand(project.path, forget)
      // The bucket is changed by few requests: half of the processes die at one of them.
      let changes = kill % 2 === 0 ? random.whole(1, 25) : Infinity
      world.fault = ({ method }) => {
        if (method === 'PUT' || method === 'DELETE') changes -= 1
        if (changes > 0) return undefined
        command.kill()
        return 'down'
      }
      if (kill % 2 === 1) {
        await pause(random.whole(Math.floor(duration / 3), duration))
        command.kill()
      }
      const { status } = await command.ended
      world.fault = () => undefined
      if (status !== undefined) duration = Date.now() - begun
      await endLeases(project.resolve(store), url)
      expect([kill, await faultsOf(project, url, runs, false)]).toEqual([kill, []])
      const repeated = await startCommand(project.path, forget).ended
      expect([kill, repeated.status, repeated.output.includes('Error')]).toEqual([kill, 0, false])
      expect([kill, await faultsOf(project, url, runs, true)]).toEqual([kill, []])
    }
  },
)
