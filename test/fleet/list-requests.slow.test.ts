import { expect, it } from 'vitest'
import { FleetIndex } from '../../src/fleet/index/fleet-index.ts'
import type { IndexedRun } from '../../src/fleet/index/indexed-run.ts'
import { S3ObjectStorage } from '../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../src/fleet/storage/s3-location.ts'
import { sampleRun } from '../../src/stores/conformance/sample-runs.ts'
import { summarizeRows } from '../../src/stores/summarize-run.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { newBucket, setUpS3, world } from '../support/s3-checks.ts'

setUpS3()

/** What each command listed when each of its 20 pages of 1000 runs was searched for anew. */
const before: Readonly<Record<string, number>> = { stats: 69, gc: 69, 'list --repeated-effects': 138 }

const HOURS = 100
const RUNS = 20_000

/** An index of packs, as a fleet writes it: so many runs, in two classes, over a hundred hours. The packs themselves are not read. */
async function writeIndex(url: string): Promise<void> {
  const index = new FleetIndex(new S3ObjectStorage(toS3Location(url)))
  for (let hour = 0; hour < HOURS; hour += 1)
    for (const [className, status] of [
      ['successful', 'returned'],
      ['failed', 'threw'],
    ] as const) {
      const runs = Array.from({ length: RUNS / HOURS / 2 }, (_, number): IndexedRun => {
        const { header, rows } = sampleRun(hour * 3600 + number * 2 + (status === 'threw' ? 1 : 0), {
          status,
          idempotencyKey: `key-${hour}`,
        })
        const summary = summarizeRows([header, ...rows])
        const pack = `runs/${className}/packs/${header.id.slice(0, 11)}/${hour}.pack`
        return { summary, place: { pack, offset: number * 10, length: 10, encoding: 'lines' } }
      })
      await index.add(className, runs[0]?.summary.id.slice(0, 11) ?? '', runs)
    }
}

it('lists a tenth of what it did, at most, for commands that read every run of a bucket', { timeout: 300_000 }, async () => {
  const { url } = newBucket()
  await writeIndex(url)
  await using directory = await createTemporaryDirectory()
  const listed: Record<string, number> = {}
  for (const command of Object.keys(before)) {
    const [from, limits] = [world.requests.length, command === 'gc' ? ['--failed', '9000d'] : []]
    const { status, stdout } = await runCommand(directory.path, [...command.split(' '), '--store', url, ...limits, '--json'])
    expect({ command, status }).toEqual({ command, status: 0 })
    expect(stdout).toContain(command.startsWith('list') ? 'key-99' : String(RUNS))
    listed[command] = world.requests.slice(from).filter(({ method, key }) => method === 'GET' && key === '').length
  }
  expect(listed).toEqual({ stats: 3, gc: 3, 'list --repeated-effects': 6 })
  for (const [command, count] of Object.entries(listed))
    expect({ command, isFew: count * 10 <= (before[command] ?? 0) }).toEqual({ command, isFew: true })
})
