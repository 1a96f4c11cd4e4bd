import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

const source = fileURLToPath(new URL('../../../src/', import.meta.url))

/** Without the preload. */
const config: ViteUserConfig = defineConfig({
  resolve: {
    alias: [
      { find: /^goldenrun$/, replacement: `${source}index.ts` },
      { find: /^goldenrun\/(replay|register)$/, replacement: `${source}$1.ts` },
    ],
  },
  test: { include: ['*.spec.ts'], setupFiles: ['./setup.ts'], maxWorkers: 1 },
})

export default config
