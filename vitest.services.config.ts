import { mergeConfig, type ViteUserConfig } from 'vitest/config'
import base from './vitest.shared.config.ts'

// Against real servers and a real browser, of Debian's packages mariadb-server, postgresql, redis-server and chromium: `npm run test:services`.
const config: ViteUserConfig = mergeConfig(base, {
  test: { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2 },
} satisfies ViteUserConfig)
config.test = { ...config.test, include: ['test/services/*.service.ts'] }

export default config
