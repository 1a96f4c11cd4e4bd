import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { external } from '../../src/run/external.ts'
import { recordRun, startRecorder } from '../support/record-run.ts'

/** A service that is asked with a token, which the process fetches once. The memo is the module's, as in life. */
function createService(base: string): { ask(order: string): Promise<string>; forget(): void } {
  let token: Promise<string> | undefined
  const fetchToken = async (): Promise<string> => (await fetch(`${base}/token`)).text()
  return {
    async ask(order) {
      token ??= fetchToken()
      const response = await fetch(`${base.replace('127.0.0.1', 'localhost')}/orders/${order}`, {
        headers: { 'idempotency-key': await token },
      })
      return await response.text()
    },
    forget: () => (token = undefined),
  }
}

let served = 0
async function startServer(): Promise<Awaited<ReturnType<typeof listen>>> {
  return await listen(async (request, response) => {
    served += 1
    response.end(request.url === '/token' ? `tok_${served}` : `packed for ${String(request.headers['idempotency-key'])}`)
  })
}

it('lets a cold test fetch what warm production had fetched before', async () => {
  const server = await startServer()
  const { host } = new URL(server.url)
  const service = createService(server.url)
  const ask = (): Promise<string> => service.ask('ord_2')
  const recordWarm = async (ambient: readonly string[]): Promise<Trace> => {
    await using recorder = await startRecorder({ ambient })
    service.forget()
    await recorder.record(() => service.ask('ord_1'))
    const { trace } = await recorder.record(ask)
    service.forget()
    return trace
  }
  const plain = await replay(await recordWarm([]), ask)
  expect(plain.divergences[0]).toMatchObject({ cause: 'unexpected-call', name: host })

  const trace = await recordWarm([host])
  await server.close()
  expect(trace.steps.map(({ name }) => name)).toEqual([`localhost:${server.port}`])
  for (const run of [await replay(trace, ask), await replay(trace, ask)]) {
    expect([run.divergences, run.outcome, run.hash]).toEqual([[], { status: 'returned', output: trace.end?.output }, trace.hash])
  }
})

it('lets a warm test do without what cold production fetched', async () => {
  const server = await startServer()
  const { host } = new URL(server.url)
  const service = createService(server.url)
  const { trace, output } = await recordRun(() => service.ask('ord_1'))
  expect(trace.steps).toHaveLength(2)
  const replays = [await replay(trace, () => service.ask('ord_1')), await replay(trace, () => service.ask('ord_1'), { ambient: [host] })]
  await server.close()
  expect(replays[0]?.divergences[0]).toMatchObject({ cause: 'missing-call', name: host })
  expect([replays[1]?.divergences, replays[1]?.outcome]).toEqual([[], { status: 'returned', output }])
})

it('takes names of externals, and hides no call of another name', async () => {
  const secrets = external('secrets.get', async (name: string) => `${name}-value`)
  const orders = external('orders.find', async (id: string) => `${id}-row`)
  let secret: Promise<string> | undefined
  const agent = async (ids: readonly string[]): Promise<unknown> => [
    await (secret ??= secrets('db')),
    ...(await Promise.all(ids.map((id) => orders(id)))),
  ]
  const { trace } = await recordRun(() => agent(['a']), { recorder: { ambient: ['secrets.get'] } })
  const warm = await replay(trace, () => agent(['a']))
  secret = undefined
  const cold = await replay(trace, () => agent(['a']))
  expect([warm.divergences, cold.divergences]).toEqual([[], []])
  const more = await replay(trace, () => agent(['a', 'b']))
  expect(more.divergences[0]).toMatchObject({ cause: 'unexpected-call', name: 'orders.find' })
  const fewer = await replay(trace, () => agent([]))
  expect(fewer.divergences[0]).toMatchObject({ cause: 'missing-call', name: 'orders.find' })
})

it('answers an ambient call that gave nothing, as often as it is made', async () => {
  const migrate = external('storage.init', async (): Promise<void> => undefined)
  const agent = async (times: number): Promise<string> => {
    for (let made = 0; made < times; made += 1) await migrate()
    return 'done'
  }
  const { trace } = await recordRun(() => agent(1), { recorder: { ambient: ['storage.init'] } })
  for (const times of [0, 1, 2]) expect((await replay(trace, () => agent(times))).divergences).toEqual([])
})

it('refuses an ambient call that was never answered', async () => {
  const secrets = external('secrets.get', async (name: string) => name)
  const { trace } = await recordRun(async () => 'done', { recorder: { ambient: ['secrets.get'] } })
  const run = await replay(trace, () => secrets('db').catch(() => 'swallowed'))
  expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', name: 'secrets.get' })
})
