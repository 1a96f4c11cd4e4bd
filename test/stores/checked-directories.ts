import fs, { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDirectoryStore, type DirectoryStore } from '../../src/stores/directory-store.ts'
import type { Capability, StoreFault, TraceStore } from '../../src/testing.ts'

const stores: DirectoryStore[] = []

/** Removes what all stores have on the disk. */
export async function removeStores(): Promise<void> {
  // An index that is written after its folder has gone would bring it back.
  for (const store of stores) await store.flush()
  for (const { directory } of stores) rmSync(path.dirname(directory), { recursive: true, force: true, maxRetries: 3 })
}

function openStore(directory: string): DirectoryStore {
  const store = createDirectoryStore(directory)
  stores.push(store)
  return store
}

/** A store in a new directory. */
export const createStore = (): DirectoryStore => openStore(path.join(mkdtempSync(path.join(tmpdir(), 'goldenrun-store-')), 'runs'))

/** What a directory can do. */
export const capabilities: readonly Capability[] = [
  ...(['index', 'locate', 'find', 'remove', 'removeMany', 'flag', 'flush', 'readStep', 'readLog', 'adopt', 'lease'] as const),
  ...(['reports', 'discard'] as const),
]

/** As another process opens it. */
export const reopen = (store: TraceStore): TraceStore => openStore((store as DirectoryStore).directory)

/** The faults that a disk can have. */
export const diskFaults = ['refuse', 'half write'] as const

const { writeSync } = fs
/** Makes the disk take nothing, or half of each write, until it is whole again. */
export function failDisk(store: TraceStore, fault: StoreFault | undefined): void {
  const { directory } = store as DirectoryStore
  if (fault === 'refuse') {
    renameSync(directory, `${directory}-away`)
    writeFileSync(directory, 'no directory')
  } else if (fault === undefined && existsSync(`${directory}-away`)) {
    rmSync(directory)
    renameSync(`${directory}-away`, directory)
  }
  fs.writeSync = fault === 'half write' ? writeHalf : writeSync
  syncBuiltinESMExports()
}

const writeHalf = ((file: number, bytes: Uint8Array) => {
  writeSync(file, bytes.subarray(0, bytes.length >>> 1))
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
}) as unknown as typeof writeSync

/** A file where the index has to be: runs cannot be indexed from now on. */
export function failIndex(store: TraceStore): void {
  const index = path.join((store as DirectoryStore).directory, 'index')
  rmSync(index, { recursive: true, force: true })
  writeFileSync(index, 'no directory')
}
