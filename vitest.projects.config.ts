import type { ViteUserConfig } from 'vitest/config'

// Users' projects with the packed package in them: `npm run test:projects`, or one of them: `npm run test:projects -- vitest-5`.
const config: ViteUserConfig = {
  test: {
    include: ['test/projects/*.project.ts'],
    globalSetup: ['test/projects/provide-package.ts'],
    // Installing waits for the disk and a registry.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
}

export default config
