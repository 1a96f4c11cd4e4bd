import { status } from '@grpc/grpc-js'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { createShopClient, getOrder, listenShop } from './shop-server.ts'
import { seen, testGrpcWays, ways } from '../../support/grpc-ways.ts'

// The other ways: grpc.slow.test.ts.
testGrpcWays(ways.filter((_, index) => index % 3 === 0))

it('replays a server that cannot be reached', async () => {
  const server = await listenShop()
  server.stop()
  const agent = async (): Promise<unknown> => seen(await getOrder(createShopClient(server.host), 'one').catch((error: unknown) => error))
  const { output, trace } = await recordRun(agent)
  expect(output).toMatchObject({ code: status.UNAVAILABLE })
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})
