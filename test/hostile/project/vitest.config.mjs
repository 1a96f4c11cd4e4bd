import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [goldenrun()], test: { testTimeout: 60_000, maxWorkers: 2 } })
