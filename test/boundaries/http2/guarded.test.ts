import http2, { type ClientHttp2Session } from 'node:http2'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import vm from 'node:vm'
import { expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { guardOutside } from '../../../src/goldens/guard-outside.ts'
import { replay } from '../../../src/replay/replay.ts'
import { runOutside } from '../../../src/run/scope.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { ask, listenHttp2 } from './http2-server.ts'
import { definition } from './shop-definition.ts'
import { getOrder, listenShop, type OrdersClient } from './shop-server.ts'

it('connects a session in memory where the process is guarded, and refuses what is asked over it outside of runs', async () => {
  const server = await listenHttp2()
  const release = installDoors()
  const recorded = http2.connect(server.url)
  let session = recorded
  const agent = async (): Promise<unknown> => [await ask(session, { ':path': '/json' }), await ask(session, { ':path': '/json' })]
  const { trace } = await recordRun(agent)
  recorded.destroy()
  release()
  await server.stop()
  const guard = guardOutside()
  try {
    session = runOutside(() => http2.connect(server.url))
    await new Promise<void>((resolve) => session.once('connect', () => resolve()))
    for (let time = 0; time < 3; time += 1) {
      const { divergences, outcome } = await replay(trace, agent)
      expect([divergences, JSON.parse(JSON.stringify(outcome))]).toEqual([[], { status: 'returned', output: trace.end?.output }])
    }
    await expect(runOutside(() => answerOf(session))).rejects.toThrow(`refused to contact ${new URL(server.url).host}`)
  } finally {
    session.destroy()
    guard.release()
  }
})

/** Resolves with an answer to a request, or rejects. */
function answerOf(session: ClientHttp2Session): Promise<unknown> {
  return new Promise((resolve, reject) => session.request({ ':path': '/json' }).once('response', resolve).once('error', reject))
}

it('waits for a gRPC client whose package was loaded after the doors were open', async () => {
  await using server = await listenShop()
  const release = installDoors()
  const require = createRequire(import.meta.url)
  for (const file of Object.keys(require.cache)) if (/[\\/]@grpc[\\/]/.test(file)) Reflect.deleteProperty(require.cache, file)
  const grpc = require('@grpc/grpc-js') as typeof import('@grpc/grpc-js')
  const { shop } = grpc.loadPackageDefinition(definition) as unknown as {
    readonly shop: { readonly Orders: new (...args: unknown[]) => OrdersClient }
  }
  const agent = async (): Promise<unknown> => {
    const client = new shop.Orders(server.host, grpc.credentials.createInsecure())
    await promisify(client.waitForReady.bind(client))(Date.now() + 10_000)
    const order = await getOrder(client, 'ord_1')
    client.close()
    return order
  }
  const { trace } = await recordRun(agent)
  expect(trace.steps.map(({ name }) => name)).toEqual(['grpc connect', 'grpc shop.Orders/Get'])
  server.stop()
  for (let time = 0; time < 5; time += 1) await expectClean(trace, agent)
  release()
})

it('waits for the body of a request whose promise is of another realm', async () => {
  await using server = await listenHttp2()
  const agent = async (): Promise<unknown> => {
    const session = http2.connect(server.url)
    const answer = await ask(session, { ':path': '/echo', ':method': 'POST' }, '{"a":1}')
    session.close()
    return answer
  }
  const { trace } = await recordRun(agent)
  await server.stop()
  const original = Promise.withResolvers
  const foreign = vm.runInNewContext('Promise') as PromiseConstructor
  // The doors of a vm pool are those of the process.
  Promise.withResolvers = () => foreign.withResolvers()
  try {
    const { divergences } = await replay(trace, agent)
    expect(divergences).toEqual([])
  } finally {
    Promise.withResolvers = original
  }
})
