import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { bringViewerUpToDate } from './scripts/build-viewer.ts'
import { bringRowCheckUpToDate } from './scripts/write-row-check.ts'

bringRowCheckUpToDate()
await bringViewerUpToDate()

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}.ts`, import.meta.url))

/** What all runs of tests have in common. */
const config: ViteUserConfig = defineConfig({
  resolve: {
    alias: [
      { find: /^goldenrun$/, replacement: source('index') },
      { find: /^goldenrun\/stores\/s3$/, replacement: source('fleet/s3') },
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
    // As in a terminal: what a report advises shall not be the script of package.json that runs these tests.
    env: { npm_lifecycle_event: '', npm_lifecycle_script: '' },
  },
})

export default config
