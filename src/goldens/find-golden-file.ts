import path from 'node:path'
import { createGoldenDirectory } from '../stores/golden-directory.ts'

/**
 * Finds the file of a golden by its name or path. Returns an absolute path; undefined if there is no such golden.
 *
 * @param meant The golden that a name stands for if it is the name of a whole conversation.
 */
export async function findGoldenFile(wanted: string, meant: string = wanted): Promise<string | undefined> {
  if (wanted.endsWith('.jsonl')) return path.resolve(wanted)
  const goldens = createGoldenDirectory()
  const [name = (await goldens.find(meant))[0]] = await goldens.find(wanted)
  return name === undefined ? undefined : goldens.fileOf(name)
}
