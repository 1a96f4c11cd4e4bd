import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

// The plugin once, and the packages as projects that extend this config.
export default defineConfig({
  plugins: [goldenrun()],
  test: {
    projects: ['mail', 'web'].map((name) => ({ extends: true, test: { name, root: `packages/${name}` } })),
    reporters: ['verbose'],
    fileParallelism: false,
  },
})
