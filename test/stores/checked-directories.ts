import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDirectoryStore, type DirectoryStore } from '../../src/stores/directory-store.ts'
import type { Capability, TraceStore } from '../../src/testing.ts'

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

/** A file where the index has to be: runs cannot be indexed from now on. */
export function failIndex(store: TraceStore): void {
  const index = path.join((store as DirectoryStore).directory, 'index')
  rmSync(index, { recursive: true, force: true })
  writeFileSync(index, 'no directory')
}
