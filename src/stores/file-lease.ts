import { readdir, readFile, rm } from 'node:fs/promises'
import { orMissing } from '../node/or-missing.ts'
import type { StoreFiles } from './store-files.ts'
import type { Lease } from './trace-store.ts'
import { writeFileAtomically } from './write-file-atomically.ts'

/**
 * Takes a lease on work in a directory. Leases are numbered files, each created exclusively, and the highest number counts. An expired lease is
 * not replaced: the next number follows it, and only one process can create that.
 *
 * @note Processes on different machines compare times of different clocks.
 */
export async function takeFileLease(files: StoreFiles, name: string, milliseconds: number): Promise<Lease | undefined> {
  const latest = await latestOf(files, name)
  if (latest > 0 && (await endOf(files, name, latest)) > Date.now()) return undefined
  const own = latest + 1
  const write = async (end: number, force: boolean): Promise<boolean> =>
    writeFileAtomically(files.lease(name, own), JSON.stringify({ end, process: process.pid }), { force })
  const isLatest = async (): Promise<boolean> => (await latestOf(files, name)) === own
  if (!(await write(Date.now() + milliseconds, false))) return undefined
  if (!(await isLatest())) {
    // Two other processes took and released theirs between the look-up and the write.
    await rm(files.lease(name, own), { force: true })
    return undefined
  }
  for (const number of await numbersOf(files, name)) if (number < own) await rm(files.lease(name, number), { force: true })
  return {
    async renew() {
      if (!(await isLatest())) return false
      await write(Date.now() + milliseconds, true)
      if (await isLatest()) return true
      await rm(files.lease(name, own), { force: true })
      return false
    },
    async release() {
      // The file stays; otherwise its number could be used twice.
      if (await isLatest()) await write(0, true)
    },
  }
}

async function latestOf(files: StoreFiles, name: string): Promise<number> {
  return Math.max(0, ...(await numbersOf(files, name)))
}

async function numbersOf(files: StoreFiles, name: string): Promise<number[]> {
  const names = await orMissing(readdir(files.leases(name)), [])
  return names.filter((file) => /^\d+$/.test(file)).map(Number)
}

/** Returns when a lease ends, in milliseconds since the epoch; 0 for one that another process has just removed. */
async function endOf(files: StoreFiles, name: string, number: number): Promise<number> {
  const text = await orMissing(readFile(files.lease(name, number), 'utf8'), '{"end":0}')
  return (JSON.parse(text) as { readonly end: number }).end
}
