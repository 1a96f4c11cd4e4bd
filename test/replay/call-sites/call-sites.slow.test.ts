import { callings, testCallings } from '../../support/call-sites.ts'

testCallings(callings.slice(36))
