import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [goldenrun()],
  // One file after another, so that what is printed has one order.
  test: { reporters: ['verbose'], fileParallelism: false },
})
