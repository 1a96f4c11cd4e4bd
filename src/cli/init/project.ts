import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isOwnScript, scriptCommand } from '../../goldens/test-command.ts'
import { execs, findPackageManager, type PackageManager } from '../../stores/package-manager.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { listAncestors } from '../../stores/golden-directory.ts'

/** A test runner that goldenrun supports. */
export type Runner = 'vitest' | 'jest'

/** A project, as found by `goldenrun init`. */
export interface Project {
  /** The absolute path of the folder with its `package.json`. */
  readonly directory: string
  /** The root of its repository, or `directory` if it is not in one. */
  readonly repository: string
  readonly packageJson: PackageJson
  readonly isTypeScript: boolean
  /** Whether its `.js` and `.ts` files are ES modules. */
  readonly isModule: boolean
  /** The project's test runners, the most likely first. */
  readonly runners: readonly Runner[]
  readonly packageManager: PackageManager
  /** Whether there is a lock file. */
  readonly isLocked: boolean
}

/** The part of a `package.json` that is used. */
export interface PackageJson {
  readonly name?: string
  readonly type?: string
  readonly jest?: unknown
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
}

/**
 * Finds the project that a directory is in: the nearest `package.json` upwards.
 *
 * @throws GoldenrunError `GOLDENRUN_INIT` if there is none, or it is not JSON.
 */
export function findProject(from: string): Project {
  const project = lookForProject(from)
  if (project === undefined) throw initError('There is no package.json here or in a parent folder. Create one: npm init -y')
  return project
}

/** Like `findProject`; returns undefined if there is no `package.json`. */
export function lookForProject(from: string): Project | undefined {
  const ancestors = listAncestors(from)
  const directory = ancestors.find((ancestor) => existsSync(path.join(ancestor, 'package.json')))
  if (directory === undefined) return undefined
  const packageJson = readPackageJson(path.join(directory, 'package.json'))
  const repository = ancestors.find((ancestor) => existsSync(path.join(ancestor, '.git'))) ?? directory
  const within = ancestors.slice(ancestors.indexOf(directory), ancestors.indexOf(repository) + 1)
  const packageManager = findPackageManager(directory)
  return {
    directory,
    repository,
    packageJson,
    isTypeScript: within.some((ancestor) => existsSync(path.join(ancestor, 'tsconfig.json'))) || hasPackage(packageJson, 'typescript'),
    isModule: packageJson.type === 'module',
    runners: findRunners(directory, packageJson),
    packageManager: packageManager ?? 'npm',
    isLocked: packageManager !== undefined,
  }
}

/** Returns the command that runs a project's tests: its own script, if it has settings that a bare call of the runner lacks. */
export function testCommandOf({ packageJson, packageManager, isModule }: Project, runner: Runner): string {
  const call = runner === 'vitest' ? 'vitest run' : 'jest'
  const [name] = Object.entries(packageJson.scripts ?? {}).find(([, script]) => isOwnScript(script, call)) ?? []
  if (name !== undefined) return scriptCommand(packageManager, name)
  // Jest runs native ES modules only with a flag. The flag is needed if no transformer turns them into CommonJS.
  const isNative = runner === 'jest' && isModule && !transformers.some((transformer) => hasPackage(packageJson, transformer))
  return `${isNative ? 'NODE_OPTIONS=--experimental-vm-modules ' : ''}${execs[packageManager]} ${call}`
}

const transformers = ['ts-jest', '@swc/jest', '@babel/preset-env', 'esbuild-jest', 'next']

/** Whether a package is among a project's own dependencies. */
export function hasPackage({ dependencies = {}, devDependencies = {} }: PackageJson, name: string): boolean {
  return Object.hasOwn(dependencies, name) || Object.hasOwn(devDependencies, name)
}

/** Returns the config files of a tool in a directory: `vitest.config.ts`. */
export function findConfigs(directory: string, tool: string): string[] {
  return readdirSync(directory).filter((file) => new RegExp(`^${tool}\\.config\\.(?:[cm]?[jt]s|json)$`).test(file))
}

/** Returns an error that stops `goldenrun init`. */
export function initError(message: string, options?: ErrorOptions): GoldenrunError {
  return new GoldenrunError('GOLDENRUN_INIT', message, options)
}

/** A configured runner comes before an installed one. */
function findRunners(directory: string, packageJson: PackageJson): Runner[] {
  const configured = (['vitest', 'jest'] as const).filter(
    (runner) => findConfigs(directory, runner).length > 0 || (runner === 'jest' && packageJson.jest !== undefined),
  )
  const installed = (['vitest', 'jest'] as const).filter((runner) => hasPackage(packageJson, runner))
  return configured.length > 0 ? configured : installed
}

function readPackageJson(file: string): PackageJson {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as PackageJson
  } catch (error) {
    throw initError(`${file} is not JSON: ${(error as Error).message}`, { cause: error })
  }
}
