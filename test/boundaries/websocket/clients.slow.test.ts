import { testTalks } from './client-cases.ts'

testTalks(10)
