import { globSync, readFileSync } from 'node:fs'
import { mergeConfig, type ViteUserConfig } from 'vitest/config'
import shared from './vitest.shared.config.ts'

/** What starts many processes, or repeats a thing many times: `npm run test:slow`. */
const slow = 'test/**/*.slow.test.ts'

/** Tests of what leaves the process as it found it share workers: those of these rooms that neither record, replay, serve nor change the directory. */
const pure = globSync('test/{divergence,matchers,models,redaction,trace}/**/*.test.ts').filter(
  (file) =>
    !/src\/(?:goldens|record|replay|vitest)\/|examples\/|support\/(?:record|replay|temporary)|chdir/.test(readFileSync(file, 'utf8')),
)

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
