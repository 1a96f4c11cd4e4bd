import { testSharing } from './sharing-cases.ts'

testSharing(5)
