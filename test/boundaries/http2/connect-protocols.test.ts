import type { Transport } from '@connectrpc/connect'
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-node'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import type { ConnectShop } from './connect-client.ts'
import { clientOf, listenConnect, long } from './connect-server.ts'

type HttpVersion = '1.1' | '2'
type Connect = (baseUrl: string, httpVersion: HttpVersion) => Transport

const protocols: readonly (readonly [name: string, connect: Connect])[] = [
  ["Connect's own protocol", (baseUrl, httpVersion) => createConnectTransport({ baseUrl, httpVersion })],
  ["Connect's own protocol as JSON", (baseUrl, httpVersion) => createConnectTransport({ baseUrl, httpVersion, useBinaryFormat: false })],
  ['gRPC-Web', (baseUrl, httpVersion) => createGrpcWebTransport({ baseUrl, httpVersion })],
]

const ways = protocols.flatMap(([name, connect]) => (['1.1', '2'] as const).map((httpVersion) => [name, httpVersion, connect] as const))

const asking = (shop: ConnectShop, id: string) => async (): Promise<unknown> => {
  const ids = [(await shop.get({ id })).id]
  for await (const { id: watched } of shop.watch({ id })) ids.push(watched)
  return ids
}

it.each(ways)('replays %s over HTTP/%s, with messages that the server compresses', async (_name, httpVersion, connect) => {
  await using server = await listenConnect(httpVersion)
  const shop = clientOf(connect(server.url, httpVersion))
  const { output, trace } = await recordRun(asking(shop, 'one'))
  expect(output).toEqual([`one ${long}`, long, 'one'])
  const { calls } = server
  for (let time = 0; time < 3; time += 1) await expectClean(trace, asking(shop, 'one'))
  const { divergences } = await replay(trace, asking(shop, 'two'))
  expect(divergences[0]).toMatchObject({ cause: 'input', step: 1 })
  expect(server.calls).toBe(calls)
})
