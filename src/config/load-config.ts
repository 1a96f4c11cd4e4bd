import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { displayPath } from '../node/display-path.ts'
import { limitReading } from '../stores/reading-limits.ts'
import { compiledFolder } from './compiled-folder.ts'
import { nearestConfigs } from './config-files.ts'
import { checkConfig } from './config-schema.ts'
import { defineConfig, type GoldenrunConfig } from './define-config.ts'
import { ConfigError } from './errors/config-error.ts'
import { loadJiti } from './load-jiti.ts'

/** A project's config, with its location. */
export interface LoadedConfig {
  readonly config: GoldenrunConfig
  /** An absolute path; absent if the project has no config, and then `config` is empty. */
  readonly file?: string
}

/**
 * Loads the nearest `goldenrun.config.ts` (or `.mts`, `.js`, `.mjs`) in a directory or its parents, uncached. TypeScript configs work on
 * every Node that goldenrun supports.
 *
 * @throws ConfigError if it cannot be loaded, or a field is invalid; the message names the field.
 */
export async function loadConfig(directory: string = process.cwd()): Promise<LoadedConfig> {
  const file = findConfig(path.resolve(directory))
  if (file === undefined) return { config: {} }
  const shown = displayPath(file)
  const config: unknown = await importDefault(file, shown)
  checkConfig(config, shown)
  limitReading(config.limits)
  return { config, file }
}

/**
 * Returns the file of the nearest config in a directory or its parents; undefined if there is none.
 *
 * @param top The last directory to search. Default: the root of the file system.
 * @throws ConfigError if there are two in one directory.
 */
export function findConfig(directory: string, top?: string): string | undefined {
  const [file, ...others] = nearestConfigs(directory, top)
  if (file === undefined || others.length === 0) return file
  const problem = `exists next to ${others.map(displayPath).join(' and ')}.`
  throw new ConfigError({ file: displayPath(file), problem, advice: 'Keep one of them.' })
}

/** @note Node strips types only since 22.18, and does not support enums. jiti handles all TypeScript. */
async function importDefault(file: string, shown: string): Promise<unknown> {
  const { createJiti } = await loadJiti()
  try {
    const jiti = createJiti(file, {
      fsCache: compiledFolder(file),
      moduleCache: false,
      interopDefault: false,
      // Allows reading a config before the package is installed.
      virtualModules: { 'goldenrun/config': { defineConfig } },
      tsconfigPaths: true,
    })
    // Node caches a JavaScript module for the life of the process, so it is read and evaluated like TypeScript.
    const module = await jiti.evalModule(await readFile(file, 'utf8'), { id: file, filename: file, async: true, forceTranspile: true })
    return isModule(module) ? module.default : module
  } catch (error) {
    const problem = `could not be loaded: ${error instanceof Error ? error.message : String(error)}`
    throw new ConfigError({ file: shown, problem }, { cause: error })
  }
}

/** A CommonJS export is the config itself. */
function isModule(exports: unknown): exports is { readonly default?: unknown } {
  return typeof exports === 'object' && exports !== null && '__esModule' in exports
}
