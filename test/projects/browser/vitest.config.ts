import { preview } from '@vitest/browser-preview'
import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [goldenrun()],
  test: { reporters: ['verbose'], browser: { enabled: true, provider: preview(), instances: [{ browser: 'chromium' }] } },
})
