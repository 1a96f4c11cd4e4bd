import { createRequire } from 'node:module'
import { resolveAsJestDoes } from './resolve-as-jest.ts'
import type { JestEnvironmentClass } from './with-goldenrun.ts'

/** Jest's own environment, `jest-environment-node`. */
export function findNodeEnvironment(): JestEnvironmentClass {
  return load(resolveAsJestDoes('jest-environment-node') ?? 'jest-environment-node', createRequire(import.meta.url))
}

/**
 * An environment by its name in Jest's config: `jsdom`, a package, a file.
 *
 * @param directory Where names are resolved from.
 */
export function findEnvironment(name: string, directory: string): JestEnvironmentClass {
  const requireFrom = createRequire(`${directory}/`)
  for (const candidate of [`jest-environment-${name}`, name]) {
    try {
      return load(requireFrom.resolve(candidate), requireFrom)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw new TypeError(
    `The test environment ${JSON.stringify(name)} cannot be found from ${directory}. Install it, or correct its name in Jest's config.`,
  )
}

interface EnvironmentModule {
  readonly TestEnvironment?: JestEnvironmentClass
  readonly default?: JestEnvironmentClass
}

function load(file: string, requireFrom: NodeJS.Require): JestEnvironmentClass {
  const module = requireFrom(file) as EnvironmentModule & JestEnvironmentClass
  return module.TestEnvironment ?? module.default ?? module
}
