import path from 'node:path'
import { createGoldenDirectory } from '../stores/golden-directory.ts'

/**
 * The file of the golden of that name, or at that path: an absolute path; undefined if there is no such golden.
 *
 * @param meant The golden that a name means if it is that of a whole conversation.
 */
export async function findGoldenFile(wanted: string, meant: string = wanted): Promise<string | undefined> {
  if (wanted.endsWith('.jsonl')) return path.resolve(wanted)
  const goldens = createGoldenDirectory()
  const [name = (await goldens.find(meant))[0]] = await goldens.find(wanted)
  return name === undefined ? undefined : goldens.fileOf(name)
}
