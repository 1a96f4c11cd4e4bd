import { testGrpcWays, ways } from '../../support/grpc-ways.ts'

testGrpcWays(ways.filter((_, index) => index % 3 !== 0))
