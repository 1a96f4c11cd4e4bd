import { displayPath } from '../node/display-path.ts'
import { type ConfiguredAgent, findAgent, locateModule, pickAgent } from './agent-reference.ts'
import { compiledFolder } from './compiled-folder.ts'
import { ConfigError } from './errors/config-error.ts'
import { loadJiti } from './load-jiti.ts'
import type { LoadedConfig } from './load-config.ts'
import { setStandInKeys } from './stand-in-keys.ts'

/**
 * Loads an agent by its name in the config; undefined if the config does not name it. Used by commands: Vitest and Jest load the agent as a module
 * that they watch. Missing keys that SDKs require when they are loaded are set to stand-ins.
 * @throws ConfigError if its module cannot be loaded, or does not export the function.
 */
export async function loadAgent({ config, file }: LoadedConfig, name: string): Promise<ConfiguredAgent | undefined> {
  const reference = findAgent(config, name)
  if (file === undefined || reference === undefined) return undefined
  const field = `agents.${name}`
  setStandInKeys()
  const { createJiti } = await loadJiti()
  const module = locateModule(file, reference.module)
  let loaded: Readonly<Record<string, unknown>>
  try {
    loaded = await createJiti(file, { fsCache: compiledFolder(file), interopDefault: false, tsconfigPaths: true }).import(module)
  } catch (error) {
    const problem = `names ${reference.module}, which could not be loaded: ${error instanceof Error ? error.message : String(error)}`
    throw new ConfigError({ file: displayPath(file), field, problem }, { cause: error })
  }
  const { agent, found } = pickAgent(loaded, reference.exported)
  if (agent !== undefined) return agent
  throw new ConfigError({
    file: displayPath(file),
    field,
    problem: `names "${reference.exported}" of ${reference.module}, which ${found}.`,
  })
}
