import { existsSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sampleRun, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { StoredRun } from '../../src/stores/stored-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

/** What this process has open, where Linux tells it. */
const openFiles = '/proc/self/fd'

it.skipIf(!existsSync(openFiles))('leaves nothing open behind it, of runs that are kept, left out or looked for', async () => {
  await using project = await createTemporaryDirectory()
  const store = createDirectoryStore(project.resolve('runs'))
  const doAll = async (second: number): Promise<void> => {
    const kept = sampleRun(second)
    writeRun(store, kept)
    const { header, rows } = sampleRun(second + 1)
    const leftOut = new StoredRun(store, { ...header, input: undefined })
    for (const row of [header, ...rows]) leftOut.write(row)
    // Only so it has a file.
    leftOut.flush()
    expect(leftOut.close(() => false)).toBe(false)
    await store.flush()
    expect((await store.find({ agent: 'support' })).runs).toContainEqual(expect.objectContaining({ id: kept.header.id }))
    expect(await store.readStep(kept.header.id, 1)).not.toEqual([])
    await store.flag(kept.header.id, 'looked at')
  }
  // What is opened once stays open.
  await doAll(0)
  const before = readdirSync(openFiles).length
  for (let count = 1; count <= 20; count += 1) await doAll(count * 2)
  expect(readdirSync(openFiles).length).toBeLessThan(before + 10)
})
