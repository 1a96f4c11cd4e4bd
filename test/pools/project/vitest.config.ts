import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
const src = fileURLToPath(new URL('../../../src/', import.meta.url))
export default defineConfig({ resolve: { alias: [
 { find: /^goldenrun$/, replacement: `${src}index.ts` },
 { find: /^goldenrun\/(.+)$/, replacement: `${src}$1.ts` },
] }, test: { include: ['*.spec.ts'] } })
