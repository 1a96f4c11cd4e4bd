import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { bringRowCheckUpToDate } from './scripts/write-row-check.ts'

bringRowCheckUpToDate()

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}.ts`, import.meta.url))

/** What all runs of tests have in common. */
const config: ViteUserConfig = defineConfig({
  resolve: {
    alias: [
      { find: /^goldenrun$/, replacement: source('index') },
      {
        find: /^goldenrun\/(replay|vitest|vitest\/plugin|vitest\/reporter|msw|config|stores|testing|otel)$/,
        replacement: `${fileURLToPath(new URL('./src/', import.meta.url))}$1.ts`,
      },
    ],
  },
  test: {
    // Those run in their projects, with the packed package: npm run test:projects.
    exclude: [...configDefaults.exclude, 'test/projects/**'],
    globalSetup: ['test/support/provide-package-folder.ts'],
    testTimeout: 30_000,
  },
})

export default config
