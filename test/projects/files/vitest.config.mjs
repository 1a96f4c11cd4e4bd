import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [goldenrun()], test: { include: ['none'], passWithNoTests: true } })
