import { preview } from '@vitest/browser-preview'
import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [goldenrun()],
  test: {
    reporters: ['verbose'],
    projects: [
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/*.browser.test.ts'],
          browser: { enabled: true, provider: preview(), instances: [{ browser: 'chromium' }] },
        },
      },
      { extends: true, test: { name: 'node' } },
    ],
  },
})
