import base from './vitest.config.ts'
import { mergeConfig } from 'vitest/config'
export default mergeConfig(base, { test: { execArgv: ['--import', '/tmp/cache.mjs'], setupFiles: ['/tmp/cache.mjs'] } })
