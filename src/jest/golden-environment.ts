import { isGolden } from '../stores/golden-directory.ts'
import { findEnvironment, findNodeEnvironment } from './find-node-environment.ts'
import { type JestEnvironment, type JestEnvironmentClass, withGoldenrun } from './with-goldenrun.ts'

/** The part of what Jest passes to an environment that is used here. */
interface EnvironmentConfig {
  readonly projectConfig: { readonly rootDir: string; readonly testEnvironmentOptions: { readonly goldenrun?: EnvironmentOptions } }
}

/** What `withGoldens` stores in `testEnvironmentOptions.goldenrun`. */
interface EnvironmentOptions {
  /** The environment of test files that are not goldens. Default: Node's. */
  readonly testEnvironment?: string
}

const NodeEnvironment = withGoldenrun(findNodeEnvironment())

/** Created once per worker, for all of its test files. */
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
  const known = others.get(key) ?? withGoldenrun(findEnvironment(name, directory))
  others.set(key, known)
  return known
}
