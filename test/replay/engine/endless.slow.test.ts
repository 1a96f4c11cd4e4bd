import { endless, recordLooks, testEndless } from './endless-agents.ts'

const trace = await recordLooks()

for (const name of Object.keys(endless)) testEndless(trace, name)
