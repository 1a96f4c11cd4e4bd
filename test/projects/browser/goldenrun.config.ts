import { defineConfig } from 'goldenrun/config'

export default defineConfig({ agents: { support: './src/agent.ts#supportAgent' } })
