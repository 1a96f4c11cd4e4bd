export { defineConfig } from './config/define-config.ts'
export type { AgentEntry, CheckPolicy, GoldenrunConfig, ReplayDefaults } from './config/define-config.ts'
