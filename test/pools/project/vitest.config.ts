import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import setupOnly from './setup-only.config.ts'

/** As the documentation says: preloaded, and loaded again where the tests run. */
const config: ViteUserConfig = mergeConfig(
  setupOnly,
  defineConfig({ test: { execArgv: ['--import', new URL('../../../src/register.ts', import.meta.url).href] } }),
)

export default config
