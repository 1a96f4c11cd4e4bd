import { readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import type { StoredTrace } from '../../src/stores/trace-store.ts'

/** A recording as JSON lines; by default the only one that there is. */
export async function readRecording(directory: string, id?: string): Promise<StoredTrace> {
  const store = createDirectoryStore(directory)
  const wanted = id ?? (await store.list()).at(-1) ?? 'none'
  const stored = await store.read(wanted)
  if (stored === undefined) throw new Error(`There is no recording ${wanted} in ${directory}: ${(await readdir(directory)).join(', ')}.`)
  return stored
}

/** Puts a file of JSON lines, as earlier releases recorded, in the place of a recording. */
export async function writeRecording(directory: string, id: string, text: string): Promise<void> {
  await rm(path.join(directory, `${id}.runlog`), { force: true })
  await writeFile(path.join(directory, `${id}.jsonl`), text)
}
