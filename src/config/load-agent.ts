import { displayPath } from '../stores/display-path.ts'
import { findAgent, locateModule } from './agent-reference.ts'
import { ConfigError } from './errors/config-error.ts'
import type { LoadedConfig } from './load-config.ts'
import { setStandInKeys } from './stand-in-keys.ts'

/** An agent, whatever it takes. */
export type ConfiguredAgent = (input: never, context: never) => unknown

/**
 * Loads the agent that a config has by that name; undefined where it has none. For commands: Vitest and Jest load it as the modules that they
 * watch. Keys that SDKs ask for when they are loaded and that are not set are set to stand-ins.
 *
 * @throws ConfigError where its module cannot be loaded, or exports no such function.
 */
export async function loadAgent({ config, file }: LoadedConfig, name: string): Promise<ConfiguredAgent | undefined> {
  const reference = findAgent(config, name)
  if (file === undefined || reference === undefined) return undefined
  const field = `agents.${name}`
  setStandInKeys()
  const { createJiti } = await import('jiti')
  const module = locateModule(file, reference.module)
  let exported: Readonly<Record<string, unknown>>
  try {
    exported = await createJiti(file, { fsCache: false, interopDefault: false, tsconfigPaths: true }).import(module)
  } catch (error) {
    const problem = `names ${reference.module}, which could not be loaded: ${error instanceof Error ? error.message : String(error)}`
    throw new ConfigError({ file: displayPath(file), field, problem }, { cause: error })
  }
  const agent = exported[reference.exported]
  if (typeof agent === 'function') return agent as ConfiguredAgent
  const names = Object.keys(exported)
  const found = names.length === 0 ? 'exports nothing' : `exports ${names.join(', ')}`
  throw new ConfigError({
    file: displayPath(file),
    field,
    problem: `names "${reference.exported}" of ${reference.module}, which ${found}.`,
  })
}
