import path from 'node:path'
import type { TestProject } from 'vitest/node'

/** A user who has set one of them has decided. */
const cacheSettings = ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE']

/** Megabytes. What a worker makes in its first tenths of a second fits in. */
const youngGeneration = 16

/** Has workers start sooner: each test file that is isolated begins with all of it. A user's own settings win. */
export function quickenWorkers(project: TestProject): void {
  keepCompiled(project)
  makeRoom(project)
}

/**
 * Has Node keep what workers compile of packages (Vitest's own code, goldenrun's, the agent's SDKs) in Vite's cache directory. It is not kept where
 * coverage is measured, which would become less precise.
 *
 * @see https://nodejs.org/api/module.html#module-compile-cache
 */
function keepCompiled({ config, vite, vitest }: TestProject): void {
  const { coverage } = vitest.config
  const env: Readonly<Record<string, unknown>> = { ...process.env, ...config.env }
  const isDecided = cacheSettings.some((name) => env[name] !== undefined)
  if (isDecided || (coverage.enabled && coverage.provider !== 'istanbul')) return
  config.env = { ...config.env, NODE_COMPILE_CACHE: path.join(vite.config.cacheDir, 'goldenrun') }
}

/**
 * Lets V8 begin with a young generation of the size that it would grow to: with the one of a megabyte that it begins with, a worker collects garbage
 * again and again while modules load. Threads have no heap settings of their own.
 */
function makeRoom({ config }: TestProject): void {
  const flags = [...config.execArgv, process.env['NODE_OPTIONS'] ?? '']
  if (!config.pool.toLowerCase().endsWith('forks') || flags.some((flag) => flag.includes('semi-space-size'))) return
  config.execArgv = [...config.execArgv, `--min-semi-space-size=${youngGeneration}`]
}
