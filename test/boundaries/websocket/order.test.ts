import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { clients } from './clients.ts'
import { listen } from './listen.ts'
import { count, refund, refundAt, testOrder } from './order-cases.ts'

// All clients, again and again: order.slow.test.ts.
testOrder(1, clients.slice(1, 3), 1)

it('says that the message had not arrived', async () => {
  const server = await listen(count)
  const { trace } = await recordRun(() => refundAt('2', () => refund())(server.url))
  await server.stop()
  const { divergences } = await replay(trace, () => refundAt('1', () => refund())(server.url), { onDivergence: 'continue' })
  const name = `websocket ${server.url.slice('ws://'.length)}/`
  expect(divergences[0]).toMatchObject({ expected: { follows: name }, received: { precedes: name } })
})
