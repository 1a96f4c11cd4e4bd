import { expect, it } from 'vitest'
import { ObjectStore } from '../../src/fleet/object-store.ts'
import { readPack } from '../../src/fleet/packs/pack.ts'
import { decodeRun, linesToLog } from '../../src/fleet/packs/run-entry.ts'
import type { ChangeRecording } from '../../src/stores/trace-store.ts'
import { Killed, MemoryObjects, MemoryStorage } from './world/memory-storage.ts'
import { createRunMaker } from './world/synthetic-runs.ts'

const maker = await createRunMaker({ start: Date.parse('2026-11-20T10:00:00Z'), every: 1000 })
const runs = Array.from({ length: 6 }, (_, number) => maker.make(number))
const ids = runs.map(({ summary }) => summary.id)

/** Stores the runs in two packs, one of them with a flag, and compacts their index. */
async function fill(storage: MemoryStorage): Promise<void> {
  const store = new ObjectStore(storage)
  for (let start = 0; start < runs.length; start += 3)
    await store.adoptMany(
      runs.slice(start, start + 3).map(({ summary, lines }) => ({ summary, lines, log: linesToLog(Buffer.from(lines)) })),
    )
  await store.flag(ids[1] ?? '', 'wrong amount')
  await store.compact('9')
}

const restart = (objects: MemoryObjects): ObjectStore => {
  for (const key of objects.keys()) if (key.startsWith('leases/')) objects.delete(key)
  return new ObjectStore(new MemoryStorage(objects))
}

/** Changes the agent of some runs. */
const changeOf =
  (changed: ReadonlySet<string>): ChangeRecording =>
  async ({ id, text }) =>
    changed.has(id) && !text.includes('"agent":"anew"') ? text.replace(/"agent":"[^"]*"/, '"agent":"anew"') : undefined

const textsIn = (objects: MemoryObjects): Map<string, string[]> => {
  const texts = new Map<string, string[]>()
  for (const [key, bytes] of objects)
    if (key.endsWith('.pack'))
      for (const run of readPack(bytes, key).runs) texts.set(run.id, [...(texts.get(run.id) ?? []), decodeRun(run, undefined, key)])
  return texts
}

it.each([{ numbers: [0] }, { numbers: [1, 4] }, { numbers: [3, 4, 5] }])(
  'keeps every run if replacing $numbers is killed after any change, and repeating it leaves no old one',
  async ({ numbers }) => {
    const changed = new Set(numbers.map((number) => ids[number] ?? ''))
    const filled = new MemoryObjects()
    await fill(new MemoryStorage(filled))
    let kills = 0
    for (let changes = 1; ; changes += 1) {
      const objects = new MemoryObjects(filled)
      const killed = await new ObjectStore(new MemoryStorage(objects, changes))
        .replaceEach(changeOf(changed))
        .catch((error: unknown) => error)
      if (!(killed instanceof Killed)) break
      kills += 1
      const store = restart(objects)
      expect([changes, await store.list()]).toEqual([changes, ids])
      for (const id of ids)
        expect((await store.read(id))?.text.split('\n').slice(1)).toEqual(runs[ids.indexOf(id)]?.lines.split('\n').slice(1))
      await store.replaceEach(changeOf(changed))
      const texts = textsIn(objects)
      for (const [number, { lines }] of runs.entries())
        expect([changes, texts.get(ids[number] ?? '')]).toEqual([
          changes,
          [numbers.includes(number) ? lines.replace(/"agent":"[^"]*"/, '"agent":"anew"') : lines],
        ])
      const found = await restart(objects).find({ agent: 'anew' })
      expect(found.runs.map(({ id }) => id).toSorted()).toEqual([...changed].toSorted())
      expect((await restart(objects).read(ids[1] ?? ''))?.flags).toEqual(['wrong amount'])
    }
    expect(kills).toBeGreaterThan(5)
  },
)

it('passes on the texts that recordings share, which stay', async () => {
  const objects = new MemoryObjects()
  await fill(new MemoryStorage(objects))
  objects.set('dictionaries/1.dictionary', Buffer.from('You are the agent of Ada.'))
  const shared: string[][] = []
  await restart(objects).replaceEach(async () => undefined, { onShared: (...told) => void shared.push(told) })
  expect(shared).toEqual([['dictionaries/1.dictionary', 'You are the agent of Ada.']])
})
