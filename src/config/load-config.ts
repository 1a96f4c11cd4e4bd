import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { displayPath } from '../node/display-path.ts'
import { checkConfig } from './config-schema.ts'
import { defineConfig, type GoldenrunConfig } from './define-config.ts'
import { ConfigError } from './errors/config-error.ts'

/** A project's config, with where it was found. */
export interface LoadedConfig {
  readonly config: GoldenrunConfig
  /** An absolute path; absent where the project has none, and `config` is empty. */
  readonly file?: string
}

const extensions = ['ts', 'mts', 'js', 'mjs'] as const

/**
 * Loads the nearest `goldenrun.config.ts` (or `.mts`, `.js`, `.mjs`) upwards from a directory, each time anew. Its TypeScript runs on every Node
 * that goldenrun supports.
 *
 * @throws ConfigError when it cannot be loaded, or a field of it is wrong; the message names the field.
 */
export async function loadConfig(directory: string = process.cwd()): Promise<LoadedConfig> {
  const file = findConfig(path.resolve(directory))
  if (file === undefined) return { config: {} }
  const shown = displayPath(file)
  const config: unknown = await importDefault(file, shown)
  checkConfig(config, shown)
  return { config, file }
}

function findConfig(directory: string): string | undefined {
  const files = extensions
    .map((extension) => path.join(directory, `goldenrun.config.${extension}`))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
  if (files.length > 1) {
    const problem = `stands beside ${files.slice(1).map(displayPath).join(' and ')}.`
    throw new ConfigError({ file: displayPath(files[0] ?? ''), problem, advice: 'Keep one of them.' })
  }
  const parent = path.dirname(directory)
  return files[0] ?? (parent === directory ? undefined : findConfig(parent))
}

/** @note Node strips types by itself from 22.18 on only, and not those that need code (enums): jiti reads all there is. */
async function importDefault(file: string, shown: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  try {
    const jiti = createJiti(file, {
      fsCache: false,
      moduleCache: false,
      interopDefault: false,
      // So that a config can be read where the package is not installed yet.
      virtualModules: { 'goldenrun/config': { defineConfig } },
      tsconfigPaths: true,
    })
    // Node loads a module of plain JavaScript once for the life of the process: it is read, and evaluated, as TypeScript is.
    const module = await jiti.evalModule(await readFile(file, 'utf8'), { id: file, filename: file, async: true, forceTranspile: true })
    return isModule(module) ? module.default : module
  } catch (error) {
    const problem = `could not be loaded: ${error instanceof Error ? error.message : String(error)}`
    throw new ConfigError({ file: shown, problem }, { cause: error })
  }
}

/** What CommonJS exports is the config itself. */
function isModule(exports: unknown): exports is { readonly default?: unknown } {
  return typeof exports === 'object' && exports !== null && '__esModule' in exports
}
