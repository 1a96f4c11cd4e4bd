import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The variable that tells the bench's processes the folder of their stores. */
const VARIABLE = 'GOLDENRUN_BENCH_STORES'

/**
 * Creates a folder for the stores of all contestants, including processes started later. It is removed after all measurements, and
 * no store before: ext4 skips the inodes of recently deleted files one by one, so the next contestant would have to wait for that.
 */
export async function makeStores(): Promise<AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  process.env[VARIABLE] = folder
  return {
    async [Symbol.asyncDispose]() {
      delete process.env[VARIABLE]
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Creates the directory of a new store in the folder. */
export async function makeStore(): Promise<string> {
  const folder = process.env[VARIABLE]
  if (folder === undefined) throw new Error('There is no folder for stores: call makeStores first.')
  return await mkdtemp(path.join(folder, 'store-'))
}
