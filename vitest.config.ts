import { mergeConfig, type ViteUserConfig } from 'vitest/config'
import shared from './vitest.shared.config.ts'

/** What starts many processes, or repeats a thing many times: `npm run test:slow`. */
const slow = 'test/**/*.slow.test.ts'

/** Rooms that leave the process as they found it: their test files share workers. */
const pure = ['config', 'divergence', 'matchers', 'models', 'redaction', 'trace'].map((room) => `test/${room}/**/*.test.ts`)

const config: ViteUserConfig = mergeConfig(shared, {
  test: {
    projects: [
      { extends: true, test: { name: 'pure', include: pure, exclude: [slow], isolate: false } },
      { extends: true, test: { name: 'process', include: ['test/**/*.test.ts'], exclude: [slow, ...pure] } },
      { extends: true, test: { name: 'slow', include: [slow], testTimeout: 120_000 } },
    ],
  },
} satisfies ViteUserConfig)

export default config
