import { testChildWays, ways } from '../../support/child-ways.ts'

testChildWays(ways.filter((_, index) => index % 3 !== 0))
