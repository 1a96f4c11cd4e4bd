import { isGolden } from '../stores/golden-directory.ts'
import { type JestEnvironment, type JestEnvironmentClass, withGoldenrun } from './with-goldenrun.ts'
import { createRequire } from 'node:module'
import { resolveAsJestDoes } from './resolve-as-jest.ts'
import { knownOrMade } from '../trace/remember.ts'

/** The part of what Jest passes to an environment that is used here. */
interface EnvironmentConfig {
  readonly projectConfig: { readonly rootDir: string; readonly testEnvironmentOptions: { readonly goldenrun?: EnvironmentOptions } }
}

/** The options that `withGoldens` stores in `testEnvironmentOptions.goldenrun`. */
interface EnvironmentOptions {
  /** The environment of test files that are not goldens. Default: Node's. */
  readonly testEnvironment?: string
}

const NodeEnvironment = withGoldenrun(findNodeEnvironment())

/** Other environments, created once per worker for all of its test files. */
const others = new Map<string, JestEnvironmentClass>()

/**
 * Jest's environment for Node, with goldenrun in its sandbox.
 *
 * @example
 * // jest.config.js
 * module.exports = { testEnvironment: 'goldenrun/jest/environment' }
 */
export const TestEnvironment: JestEnvironmentClass = new Proxy(NodeEnvironment, {
  construct(_, [config, context]: [EnvironmentConfig, { readonly testPath: string }]): JestEnvironment {
    const { rootDir, testEnvironmentOptions } = config.projectConfig
    const { testEnvironment } = testEnvironmentOptions.goldenrun ?? {}
    const Environment = testEnvironment === undefined || isGolden(context.testPath) ? NodeEnvironment : otherOf(testEnvironment, rootDir)
    return new Environment(config as never, context as never)
  },
})

function otherOf(name: string, directory: string): JestEnvironmentClass {
  const key = JSON.stringify([name, directory])
  return knownOrMade(others, key, () => withGoldenrun(findEnvironment(name, directory)))
}

/** Finds Jest's own environment, `jest-environment-node`. */
function findNodeEnvironment(): JestEnvironmentClass {
  return load(resolveAsJestDoes('jest-environment-node') ?? 'jest-environment-node', createRequire(import.meta.url))
}

/**
 * Finds an environment by its name in Jest's config: `jsdom`, a package, a file.
 *
 * @param directory The directory that names are resolved from.
 */
function findEnvironment(name: string, directory: string): JestEnvironmentClass {
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
