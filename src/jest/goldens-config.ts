import { textExtensions } from './golden-dependencies.ts'
import { resolveAsJestDoes } from './resolve-as-jest.ts'

/** The part of Jest's config that is changed here. */
export interface JestConfig {
  readonly preset?: string | null | undefined
  readonly testEnvironment?: string | undefined
  readonly testEnvironmentOptions?: Readonly<Record<string, unknown>> | undefined
  readonly transform?: Readonly<Record<string, unknown>> | undefined
  readonly moduleFileExtensions?: readonly string[] | undefined
  readonly testMatch?: string | readonly string[] | undefined
  readonly testRegex?: string | readonly string[] | undefined
  readonly reporters?: readonly unknown[] | undefined
  readonly projects?: readonly unknown[] | undefined
  readonly rootDir?: string | undefined
  readonly dependencyExtractor?: string | null | undefined
}

const GOLDEN_REGEX = String.raw`[\\/]golden-traces[\\/].*\.jsonl$`
const GOLDEN_MATCH = '**/golden-traces/**/*.jsonl'

/** Jest's own defaults. @see https://jestjs.io/docs/configuration */
const defaults = {
  moduleFileExtensions: ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'json', 'node'],
  testMatch: ['**/__tests__/**/*.?([mc])[jt]s?(x)', '**/?(*.)+(spec|test).?([mc])[jt]s?(x)'],
  reporters: ['default'],
}

/**
 * Adds goldenrun to a Jest config: its environment, each `golden-traces/**\/*.jsonl` as a test file, and the reporter. Other settings
 * are unchanged: test files in a different environment (`jsdom`) keep it, and goldens run in Node's.
 *
 * @param config As `jest.config.js` exports it: an object, or a function that returns one (`next/jest`). Inline `projects` get goldens;
 * reporters apply to the whole config.
 *
 * @example
 * // jest.config.js
 * const { withGoldens } = require('goldenrun/jest/config')
 *
 * module.exports = withGoldens({ preset: 'ts-jest' })
 */
export function withGoldens<Config extends JestConfig>(config: () => Config | Promise<Config>): () => Promise<Config>
export function withGoldens<Config extends JestConfig>(config: Config): Config
export function withGoldens<Config extends JestConfig>(
  config: Config | (() => Config | Promise<Config>),
): Config | (() => Promise<Config>) {
  return typeof config === 'function' ? async () => addGoldens(await config()) : addGoldens(config)
}

function addGoldens<Config extends JestConfig>(config: Config): Config {
  const { projects, reporters = defaults.reporters } = config
  const told = { ...config, reporters: [...reporters, 'goldenrun/jest/reporter'] }
  if (projects === undefined) return { ...told, ...goldensOf(config) }
  return { ...told, projects: projects.map((project) => (isConfig(project) ? { ...project, ...goldensOf(project) } : project)) }
}

function isConfig(project: unknown): project is JestConfig {
  return typeof project === 'object' && project !== null
}

function goldensOf(config: JestConfig): JestConfig {
  const { moduleFileExtensions = defaults.moduleFileExtensions, rootDir = process.cwd(), dependencyExtractor } = config
  return {
    ...environmentOf(config),
    ...testsOf(config),
    transform: { ...ownTransform(config), ...(config.transform ?? usualTransform(config)) },
    moduleFileExtensions: [...new Set([...moduleFileExtensions, 'jsonl', 'accepted', ...textExtensions(rootDir)])],
    dependencyExtractor: dependencyExtractor ?? 'goldenrun/jest/dependencies',
  }
}

/** Returns the transform of goldens; none if the config has it, with options. The first pattern that matches a file counts. */
function ownTransform({ transform = {} }: JestConfig): Readonly<Record<string, unknown>> {
  const own = 'goldenrun/jest/transform'
  return Object.values(transform).some((entry) => [entry].flat()[0] === own) ? {} : { [GOLDEN_REGEX]: own }
}

function environmentOf({ testEnvironment = 'node', testEnvironmentOptions }: JestConfig): JestConfig {
  const own = 'goldenrun/jest/environment'
  if (testEnvironment === 'node' || testEnvironment === own) return { testEnvironment: own }
  return { testEnvironment: own, testEnvironmentOptions: { ...testEnvironmentOptions, goldenrun: { testEnvironment } } }
}

function testsOf({ testMatch, testRegex }: JestConfig): JestConfig {
  const regexes = testRegex === undefined ? [] : [testRegex].flat()
  if (regexes.length > 0) return { testRegex: [...regexes, GOLDEN_REGEX] }
  return { testMatch: [...(testMatch === undefined ? defaults.testMatch : [testMatch].flat()), GOLDEN_MATCH] }
}

/** Returns Jest's default code transform; none if the config has a preset, which brings its own. */
function usualTransform({ preset }: JestConfig): Readonly<Record<string, unknown>> {
  if (preset !== undefined && preset !== null) return {}
  const babel = resolveAsJestDoes('babel-jest')
  return babel === undefined ? {} : { [String.raw`\.[jt]sx?$`]: babel }
}

/**
 * Jest's preset with goldenrun: its environment, each `golden-traces/**\/*.jsonl` as a test file, and the reporter.
 *
 * @example
 * // jest.config.js
 * module.exports = { preset: 'goldenrun/jest' }
 */
export const preset: JestConfig = withGoldens({})
