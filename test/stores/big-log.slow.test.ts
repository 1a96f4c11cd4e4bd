import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { idOf, sampleRun, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

it('reads a log of hundreds of megabytes in small pieces', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  const store = createDirectoryStore(directory)
  writeRun(store, sampleRun(1))
  const file = `${directory}/${idOf(1)}.runlog`
  const size = 300_000_000
  // A sparse file: it takes no room on the disk.
  const handle = await open(file, 'r+')
  await handle.truncate(size)
  await handle.close()
  const before = process.memoryUsage().arrayBuffers
  let [read, most] = [0, 0]
  for await (const piece of (await store.readLog(idOf(1)))?.stream() ?? []) {
    read += piece.length
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }
  expect(read).toBe(size)
  expect(most).toBeLessThan(size / 2)
  expect(existsSync(file)).toBe(true)
})
