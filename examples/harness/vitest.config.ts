import { defineConfig, type ViteUserConfig } from 'vitest/config'

// npm exec -- vitest run --root examples/harness
const config: ViteUserConfig = defineConfig({ test: { include: ['harness.vitest.js'], reporters: ['default'] } })

export default config
