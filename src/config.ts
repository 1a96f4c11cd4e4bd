export { defineConfig } from './config/define-config.ts'
export type { CheckPolicy, GoldenrunConfig, ReplayDefaults } from './config/define-config.ts'
