import path from 'node:path'
import { createGoldenDirectory } from '../stores/golden-directory.ts'

/** The file of the golden of that name, or at that path: an absolute path; undefined if there is no such golden. */
export async function findGoldenFile(wanted: string): Promise<string | undefined> {
  if (wanted.endsWith('.jsonl')) return path.resolve(wanted)
  const goldens = createGoldenDirectory()
  const [name] = await goldens.find(wanted)
  return name === undefined ? undefined : goldens.fileOf(name)
}
