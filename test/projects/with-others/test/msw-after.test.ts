import { goldenHandlers } from 'goldenrun/msw'
import { fork, readTrace, replay } from 'goldenrun/vitest'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { lookupAgent } from '../src/lookup.ts'

// A server of the user's, with answers of its own, that starts when goldenrun has its hands on HTTP already.
let asked: string[] = []
const server = setupServer(
  http.get('http://127.0.0.1:4020/orders/:id', ({ request }) => {
    asked.push(request.url)
    return HttpResponse.json({ id: 'ord_1', item: 'Something else' })
  }),
  http.get('https://shop.example/status', () => HttpResponse.text('open')),
)
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
beforeEach(() => (asked = []))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

test('a replay is answered from its trace, past the server', async () => {
  expect(await replay('busy-shop', lookupAgent)).toReplayWithoutDivergence()
  expect(asked).toEqual([])
})

test('outside of a run the server answers, before a replay, beside it and after it', async () => {
  const status = async (): Promise<string> => (await fetch('https://shop.example/status')).text()
  const before = await status()
  const [run, beside] = await Promise.all([replay('busy-shop', lookupAgent), status()])
  expect(run).toReplayWithoutDivergence()
  expect([before, beside, await status()]).toEqual(['open', 'open', 'open'])
})

test('outside of a run the agent asks the server', async () => {
  await expect(lookupAgent({ id: 'ord_1' })).resolves.toMatchObject({ reply: 'Your something else is on its way.' })
  expect(asked).toEqual(['http://127.0.0.1:4020/orders/ord_1?attempt=1'])
})

test('the server answers as the trace does', async () => {
  const trace = await readTrace('busy-shop')
  server.use(...goldenHandlers(trace))
  const { headers } = trace.steps[0]?.input as { headers: [string, string][] }
  const ask = async (attempt: number): Promise<number> =>
    (await fetch(`http://127.0.0.1:4020/orders/ord_1?attempt=${attempt}`, { headers })).status
  expect([await ask(1), await ask(2), await ask(3)]).toEqual([503, 503, 200])
  expect(asked).toEqual([])
})

async function carefulAgent(input: { id: string }): Promise<string> {
  const { reply } = await lookupAgent(input)
  return `${reply} We are ${await (await fetch('https://shop.example/status')).text()}.`
}

test('what the trace does not have is refused in a run, and the server is not asked', async () => {
  expect(await replay('busy-shop', carefulAgent)).toDivergeAt(3, 'unexpected-call')
})

test('handlers that a fork is given answer it', async () => {
  const { outcome } = await fork('busy-shop', carefulAgent, {
    handlers: [http.get('https://shop.example/status', () => HttpResponse.text('closed'))],
  })
  expect(outcome).toEqual({ status: 'returned', output: 'Your desk lamp is on its way. We are closed.' })
})
