import { misbehavingCases, testMisbehaving } from '../../support/misbehaving-ways.ts'

// Other ways: misbehaving-stores.slow.test.ts.
testMisbehaving(misbehavingCases.slice(1, 3))
