import type { ViteUserConfig } from 'vitest/config'
import shared from './vitest.config.ts'

const config: ViteUserConfig = shared

// What each test file reaches, for `node scripts/mutants.ts`. Alone, each loads for itself the modules that it needs.
for (const project of config.test?.projects ?? []) {
  if (typeof project !== 'object' || !('test' in project) || project.test === undefined) continue
  project.test.isolate = true
  project.test.setupFiles = ['scripts/mutants/write-reached.ts', ...[project.test.setupFiles ?? []].flat()]
}

export default config
