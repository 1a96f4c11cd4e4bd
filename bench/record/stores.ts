import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Where the processes of the bench find the folder of their stores. */
const VARIABLE = 'GOLDENRUN_BENCH_STORES'

/**
 * Makes a folder for the stores of all contestants, those of processes that are started from now on included. It goes when everything is measured, and
 * no store before: ext4 passes over the inodes of what was deleted in the last minutes one by one, so that whoever is measured next would wait for it.
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

/** A new store's directory in it. */
export async function makeStore(): Promise<string> {
  const folder = process.env[VARIABLE]
  if (folder === undefined) throw new Error('There is no folder for stores: call makeStores before.')
  return await mkdtemp(path.join(folder, 'store-'))
}
