import { testHttp2Ways, ways } from '../../support/http2-ways.ts'

testHttp2Ways(ways.filter((_, index) => index % 3 !== 0))
