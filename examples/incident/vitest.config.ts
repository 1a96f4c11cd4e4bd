import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

const config: ViteUserConfig = defineConfig({ plugins: [goldenrun()] })

export default config
