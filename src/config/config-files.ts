import { statSync } from 'node:fs'
import path from 'node:path'

/** The names that a config may have, in one folder at most one of them. */
export const configNames: readonly string[] = ['ts', 'mts', 'js', 'mjs'].map((extension) => `goldenrun.config.${extension}`)

/**
 * Returns the configs of the nearest directory that has one, the given one or one of its parents. More than one is the user's mistake.
 *
 * @param top The last directory to search. Default: the root of the file system.
 */
export function nearestConfigs(directory: string, top?: string): string[] {
  const files = configNames
    .map((name) => path.join(directory, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
  const parent = path.dirname(directory)
  return files.length > 0 || parent === directory || directory === top ? files : nearestConfigs(parent, top)
}
