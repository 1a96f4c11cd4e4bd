import { testFailures } from './failure-cases.ts'

testFailures(20)
