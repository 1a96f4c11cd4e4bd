import path from 'node:path'
import type { TestProject } from 'vitest/node'

/** A user who has set one of them has decided. */
const ownSettings = ['NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE']

/**
 * Has Node keep what workers compile of packages (Vitest's own code, goldenrun's, the agent's SDKs) in Vite's cache directory. Each test file that
 * is isolated would compile all of it anew. It is not kept where coverage is measured, which would become less precise.
 *
 * @see https://nodejs.org/api/module.html#module-compile-cache
 */
export function keepCompiled({ config, vite, vitest }: TestProject): void {
  const { coverage } = vitest.config
  const env: Readonly<Record<string, unknown>> = { ...process.env, ...config.env }
  const isDecided = ownSettings.some((name) => env[name] !== undefined)
  if (isDecided || (coverage.enabled && coverage.provider !== 'istanbul')) return
  config.env = { ...config.env, NODE_COMPILE_CACHE: path.join(vite.config.cacheDir, 'goldenrun') }
}
