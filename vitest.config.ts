import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}.ts`, import.meta.url))

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
    include: ['test/**/*.test.ts'],
    // Those run in their projects, with the packed package: npm run test:projects.
    exclude: [...configDefaults.exclude, 'test/projects/**'],
    testTimeout: 30_000,
  },
})

export default config
