import { readdir, readFile, rm } from 'node:fs/promises'
import { orMissing } from '../node/or-missing.ts'
import { hasEnded, processName } from '../node/process-name.ts'
import type { StoreFiles } from './store-files.ts'
import type { Lease } from './trace-store.ts'
import { writeFileAtomically } from './write-file-atomically.ts'

/**
 * Takes a lease on work in a directory. Leases are numbered files, each created exclusively, and the highest number counts. A lease that expired, or
 * whose process ended, is not replaced: the next number follows it, and only one process can create that.
 *
 * @note Processes on different machines compare times of different clocks.
 */
export async function takeFileLease(files: StoreFiles, name: string, milliseconds: number): Promise<Lease | undefined> {
  const latest = await latestOf(files, name)
  if (latest > 0 && (await isHeld(files, name, latest))) return undefined
  const own = latest + 1
  const write = async (end: number, force: boolean): Promise<boolean> =>
    writeFileAtomically(files.lease(name, own), JSON.stringify({ end, process: processName() } satisfies Holding), { force })
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

/** The content of a lease's file. */
interface Holding {
  /** When the lease ends, in milliseconds since the epoch. */
  readonly end: number
  /** The name of the process that holds it. */
  readonly process?: string | undefined
}

/** Returns whether a process holds a lease. Another process may just have removed the file. */
async function isHeld(files: StoreFiles, name: string, number: number): Promise<boolean> {
  const text = await orMissing(readFile(files.lease(name, number), 'utf8'), '{"end":0}')
  const holding = JSON.parse(text) as Holding
  return holding.end > Date.now() && !hasEnded(holding.process)
}
