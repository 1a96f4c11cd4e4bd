import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * Returns the folder for modules that were compiled from TypeScript, so that the next process need not compile them again: `.cache/goldenrun` in the
 * `node_modules` that a file of the project loads packages from. `false` if there is none, since a folder that other users can write to is not safe.
 * The compiled modules are found by the content of their source.
 */
export function compiledFolder(file: string): string | false {
  const directory = path.dirname(file)
  const modules = path.join(directory, 'node_modules')
  if (existsSync(modules)) return path.join(modules, '.cache', 'goldenrun')
  return directory === file ? false : compiledFolder(directory)
}
