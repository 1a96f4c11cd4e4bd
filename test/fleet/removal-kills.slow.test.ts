import { expect, it } from 'vitest'
import { ObjectStore } from '../../src/fleet/object-store.ts'
import { readPack } from '../../src/fleet/packs/pack.ts'
import { linesToLog } from '../../src/fleet/packs/run-entry.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { Killed, MemoryObjects, MemoryStorage } from './world/memory-storage.ts'
import { createRunMaker, type SyntheticRun } from './world/synthetic-runs.ts'

const warnings = collectWarnings()
const maker = await createRunMaker({ start: Date.parse('2026-11-20T10:00:00Z'), every: 1000 })
const runs = Array.from({ length: 9 }, (_, number) => maker.make(number))
const idOf = ({ summary }: SyntheticRun): string => summary.id

/** Stores the runs in three packs, and compacts their index, so that a removal replaces one compacted index by another. */
async function fill(storage: MemoryStorage): Promise<void> {
  const store = new ObjectStore(storage)
  for (let start = 0; start < runs.length; start += 3)
    await store.adoptMany(
      runs.slice(start, start + 3).map(({ summary, lines }) => ({ summary, lines, log: linesToLog(Buffer.from(lines)) })),
    )
  await store.compact('9')
}

const restart = (objects: MemoryObjects): ObjectStore => {
  // The lease of a dead process runs out by itself.
  for (const key of objects.keys()) if (key.startsWith('leases/')) objects.delete(key)
  return new ObjectStore(new MemoryStorage(objects))
}

const inPacks = (objects: MemoryObjects): string[] =>
  [...objects].flatMap(([key, bytes]) => (key.endsWith('.pack') ? readPack(bytes, key).runs.map(({ id }) => id) : [])).toSorted()

/** A removal in one pack, and in several of which one has no other run. */
const removals = [...Array.from({ length: 9 }, (_, number) => [number]), [0, 3, 4, 5], [2, 7]].map((numbers) => ({ numbers }))

it.each(removals)(
  'loses no other run if a removal of $numbers is killed after any change, and repeating it leaves nothing',
  async ({ numbers: removed }) => {
    const gone = removed.flatMap((number) => (runs[number] === undefined ? [] : [idOf(runs[number])]))
    const stays = runs.filter((run) => !gone.includes(idOf(run)))
    const filled = new MemoryObjects()
    await fill(new MemoryStorage(filled))
    let kills = 0
    for (let changes = 1; ; changes += 1) {
      const objects = new MemoryObjects(filled)
      const killed = await new ObjectStore(new MemoryStorage(objects, changes)).removeMany(gone).catch((error: unknown) => error)
      if (!(killed instanceof Killed)) break
      kills += 1
      const store = restart(objects)
      for (const run of stays) expect([changes, (await store.read(idOf(run)))?.text]).toEqual([changes, run.lines])
      await store.removeMany(gone)
      expect([changes, await restart(objects).list(), inPacks(objects)]).toEqual([changes, stays.map(idOf), stays.map(idOf)])
      for (const run of stays) expect((await store.read(idOf(run)))?.text).toBe(run.lines)
    }
    expect(kills).toBeGreaterThan(5)
  },
)

it('finds runs in a pack that no index lists, if a query has to be complete', async () => {
  const objects = new MemoryObjects()
  await fill(new MemoryStorage(objects))
  for (const key of objects.keys()) if (key.endsWith('.parquet')) objects.delete(key)
  expect((await restart(objects).find({})).runs).toEqual([])
  const found = await restart(objects).find({ tags: { user: maker.userOf(4) }, complete: true })
  expect(found.runs.map(({ id }) => id)).toContain(idOf(maker.make(4)))
  expect(await restart(objects).list()).toEqual(runs.map(idOf))
})

it('leaves no copy of a run in a pack that a killed removal of another run had stored', async () => {
  const [first = '', second = ''] = runs.map(idOf)
  const filled = new MemoryObjects()
  await fill(new MemoryStorage(filled))
  for (let changes = 1; ; changes += 1) {
    const objects = new MemoryObjects(filled)
    const killed = await new ObjectStore(new MemoryStorage(objects, changes)).removeMany([first]).catch((error: unknown) => error)
    if (!(killed instanceof Killed)) break
    const found = await restart(objects).find({ tags: { user: maker.userOf(1) }, complete: true })
    expect(found.runs.map(({ id }) => id)).toContain(second)
    await restart(objects).removeMany([second])
    expect([changes, inPacks(objects).includes(second)]).toEqual([changes, false])
  }
})

it('names the packs that a complete query leaves out', async () => {
  const objects = new MemoryObjects()
  await fill(new MemoryStorage(objects))
  objects.set('damaged/runs/successful/packs/20261120-10/1.pack', new Uint8Array(8))
  await restart(objects).find({ complete: true })
  await expect
    .poll(() => warnings)
    .toEqual([
      'goldenrun did not search damaged packs: s3://memory: damaged/runs/successful/packs/20261120-10/1.pack. Delete those that are no longer needed.',
    ])
})
