import { misbehavingCases, testMisbehaving } from '../../support/misbehaving-ways.ts'

testMisbehaving([...misbehavingCases.slice(0, 1), ...misbehavingCases.slice(3)])
