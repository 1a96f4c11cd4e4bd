import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: ['packages/*'],
    // One file after another, so that what is printed has one order.
    reporters: ['verbose'],
    fileParallelism: false,
  },
})
