import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { knownOrMade } from '../trace/remember.ts'
import type { GoldenrunConfig } from './define-config.ts'

/** Returns the config nearest to a directory; an empty one if there is none, or none that can be loaded, which other code reports. */
export async function nearestConfig(directory: string): Promise<GoldenrunConfig> {
  return await knownOrMade(configs, directory, () => load(directory))
}

/** Configs by directory. */
const configs = new Map<string, Promise<GoldenrunConfig>>()

/** The loader is imported on demand: few tests need it. */
async function load(directory: string): Promise<GoldenrunConfig> {
  const { findConfig, loadConfig } = await import('./load-config.ts')
  try {
    return findConfig(directory) === undefined ? {} : (await loadConfig(directory)).config
  } catch (error) {
    if (GoldenrunError.isInstance(error)) return {}
    throw error
  }
}
