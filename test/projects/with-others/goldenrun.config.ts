import { defineConfig } from 'goldenrun/config'

export default defineConfig({ agents: { support: '@/agent#supportAgent', lookup: './src/lookup.ts#lookupAgent' } })
