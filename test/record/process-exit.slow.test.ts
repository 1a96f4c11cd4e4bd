import { others, testProcessExit } from './exiting-processes.ts'

for (const what of Object.keys(others)) testProcessExit(what)
