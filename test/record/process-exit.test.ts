import { testProcessExit } from './exiting-processes.ts'

// The others: process-exit.slow.test.ts.
testProcessExit('another recorder was closed twice')
