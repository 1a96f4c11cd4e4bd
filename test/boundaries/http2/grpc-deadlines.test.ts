import { Metadata } from '@grpc/grpc-js'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { createShopClient, getOrder, listenShop } from './shop-server.ts'

it('compares a deadline with what the answer took', async () => {
  const server = await listenShop()
  const client = createShopClient(server.host)
  let limit = 20_000
  // The server takes 60 ms for it.
  const agent = async (): Promise<unknown> =>
    getOrder(client, 'slow', new Metadata(), limit === Infinity ? {} : { deadline: new Date(Date.now() + limit) })
  const { trace } = await recordRun(agent)
  await server[Symbol.asyncDispose]()
  const causes: unknown[] = []
  for (limit of [20_000, 90_000, Infinity, 20]) {
    const { divergences } = await replay(trace, agent)
    causes.push(divergences.map(({ cause, step }) => [cause, step]))
  }
  expect(causes).toEqual([[], [], [], [['time-limit', 1]]])
  client.close()
})
