import { expect, it } from 'vitest'
import { sampleRun, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import { RunIndex } from '../../src/stores/run-index/run-index.ts'
import { StoreFiles } from '../../src/stores/store-files.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { expectSafeWriters, kept, recordFour } from './indexed-runs.ts'

it('is safe with two processes that write and read', async () => {
  await expectSafeWriters(2, 10)
})

it('is safe with several processes that write and read', async () => {
  await expectSafeWriters(4, 40)
})

// It waits for two seconds.
it('writes a run down later where another process has the index for longer than it waits', async () => {
  await using project = await createTemporaryDirectory()
  const { store, directory } = await recordFour(project)
  writeRun(store, sampleRun(1))
  const index = new RunIndex(new StoreFiles(directory).indexFile, 1000)
  index.transaction(() => void store.flush())
  index.close()
  expect(kept(directory)).toHaveLength(4)
  await store.flush()
  expect(kept(directory)).toHaveLength(5)
})
