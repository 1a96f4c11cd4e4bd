import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** `goldenrun/register` as a setup file alone. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['reads.spec.ts'],
    setupFiles: ['../../../../src/register.ts'],
    maxWorkers: 1,
    server: { deps: { external: [/package-probes\.mjs/] } },
  },
})

export default config
