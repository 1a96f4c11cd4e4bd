import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import setup from './setup.config.ts'

/** Preloaded too, as the documentation says. */
const config: ViteUserConfig = mergeConfig(
  setup,
  defineConfig({ test: { execArgv: ['--import', new URL('../../../../src/register.ts', import.meta.url).href] } }),
)

export default config
