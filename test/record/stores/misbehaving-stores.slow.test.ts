import { misbehavingCases, testMisbehaving } from '../../support/misbehaving-ways.ts'

testMisbehaving(misbehavingCases.slice(3))
