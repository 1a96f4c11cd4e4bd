import { expect, it } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import { httpRequest } from '../support/http-request.ts'
import { recordRun, rowsOf, startRecorder } from '../support/record-run.ts'

interface Stores extends LocalServer {
  readonly asked: string[]
}

/** A store of prompts, one of flags, and an API of orders. */
async function listenStores(): Promise<Stores> {
  const asked: string[] = []
  const server = await listen(async (incoming, response) => {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece as Buffer)
    const { url = '' } = incoming
    asked.push(`${incoming.method} ${url}`)
    response.setHeader('content-type', 'application/json')
    if (url.endsWith('/missing')) response.statusCode = 404
    const { distinct_id: user = '' } = pieces.length === 0 ? {} : (JSON.parse(Buffer.concat(pieces).toString()) as { distinct_id?: string })
    response.end(JSON.stringify({ of: `${url} ${user}`.trim() }))
  })
  return Object.assign(server, { asked })
}

const read = async (url: string): Promise<string> => ((await (await fetch(url)).json()) as { of: string }).of
const flag = async (url: string, user: string): Promise<string> => {
  const body = JSON.stringify({ token: 'phc_x', distinct_id: user })
  return ((await (await fetch(`${url}/flags/?v=2`, { method: 'POST', body })).json()) as { of: string }).of
}

it('answers an equal read any number of times, and compares another one', async () => {
  await using server = await listenStores()
  const prompt = (name: string) => read(`${server.url}/api/public/v2/prompts/${name}`)
  const agent = (times: number, name: string) => async () => {
    let got = 'kept'
    for (let time = 0; time < times; time += 1) got = await prompt(name)
    return [got === 'kept' ? got : 'read', await read(`${server.url}/orders/1`)]
  }
  const { trace } = await recordRun(agent(1, 'support'))
  expect(trace.steps.length).toBe(2)
  for (const times of [1, 2, 4]) {
    const run = await replay(trace, agent(times, 'support'))
    expect([run.divergences, run.outcome, run.hash]).toEqual([[], { status: 'returned', output: ['read', '/orders/1'] }, trace.hash])
  }
  const kept = await replay(trace, async () => ['read', await read(`${server.url}/orders/1`)])
  expect([kept.divergences, kept.hash]).toEqual([[], trace.hash])
  const other = await replay(trace, agent(1, 'sales'))
  expect(other.divergences[0]).toMatchObject({ received: { url: `${server.url}/api/public/v2/prompts/sales` } })
})

it('keeps a prompt that an earlier run of the process read', async () => {
  await using server = await listenStores()
  await using recorder = await startRecorder()
  let kept: string | undefined
  const agent = async (): Promise<string> => (kept ??= await read(`${server.url}/api/public/v2/prompts/support`))
  await recorder.record(agent)
  const { trace } = await recorder.record(agent)
  expect([trace.steps, trace.header.ambient?.names, trace.header.ambient?.answers.length]).toEqual([[], [], 1])
  kept = undefined
  const cold = await replay(trace, agent)
  expect([cold.divergences, cold.outcome, cold.hash]).toEqual([
    [],
    { status: 'returned', output: '/api/public/v2/prompts/support' },
    trace.hash,
  ])
  expect(server.asked).toEqual(['GET /api/public/v2/prompts/support'])
})

it('keeps what a store says of one user in the trace of the run that asked', async () => {
  await using server = await listenStores()
  await using recorder = await startRecorder()
  const first = await recorder.record(() => flag(server.url, 'user_1'))
  const second = await recorder.record(() => flag(server.url, 'user_2'))
  expect([first.trace.header.ambient, second.trace.header.ambient]).toEqual([undefined, undefined])
  expect(rowsOf(second.trace, 'note')).toEqual([])
  const twice = async (): Promise<string> => (await flag(server.url, 'user_2')) && (await flag(server.url, 'user_2'))
  expect((await replay(second.trace, twice)).divergences).toEqual([])
  const other = await replay(second.trace, () => flag(server.url, 'user_1'))
  expect(other.divergences[0]).toMatchObject({ cause: 'unexpected-call' })
})

it('knows a read by its body however it is sent', async () => {
  await using server = await listenStores()
  const agent = (times: number) => async () => {
    const got: string[] = []
    for (let time = 0; time < times; time += 1) {
      const options = { method: 'POST', body: ['{"token":"phc_x",', '"distinct_id":"user_1"}'] }
      got.push((await httpRequest(`${server.url}/flags/?v=2`, options)).body.toString())
    }
    return new Set(got).size
  }
  const { trace } = await recordRun(agent(1))
  for (const times of [1, 3]) {
    const run = await replay(trace, agent(times))
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 1 }])
  }
})

it.each([
  ['a read that failed', (url: string) => read(`${url}/api/public/v2/prompts/missing`)],
  [
    'a call with the path of a read and another body',
    async (url: string) => (await fetch(`${url}/flags`, { method: 'POST', body: '{"country":"fr"}' })).text(),
  ],
])('compares %s', async (_, ask) => {
  await using server = await listenStores()
  const agent = (times: number) => async () => {
    for (let time = 0; time < times; time += 1) await ask(server.url)
    return 'done'
  }
  const { trace } = await recordRun(agent(1))
  const causes = async (times: number): Promise<string[]> => (await replay(trace, agent(times))).divergences.map(({ cause }) => cause)
  expect([await causes(1), await causes(0), await causes(2)]).toEqual([[], ['missing-call'], ['unexpected-call']])
})

it('repeats the failure of a read that the client sends again', async () => {
  let served = 0
  await using server = await listen(async (_, response) => {
    served += 1
    response.statusCode = served % 3 === 0 ? 200 : 503
    response.end(`prompt ${served}`)
  })
  const ask = async (): Promise<string> => {
    const response = await fetch(`${server.url}/api/public/v2/prompts/support`)
    return response.ok ? await response.text() : await ask()
  }
  const agent = (times: number) => async () => {
    const got: string[] = []
    for (let time = 0; time < times; time += 1) got.push(await ask())
    return got.at(-1)
  }
  const { trace } = await recordRun(agent(1))
  for (const times of [1, 2]) {
    const run = await replay(trace, agent(times))
    expect([run.divergences, run.outcome, run.hash]).toEqual([[], { status: 'returned', output: 'prompt 3' }, trace.hash])
  }
  const kept = await replay(trace, async () => 'prompt 3')
  expect([kept.divergences, kept.hash]).toEqual([[], trace.hash])
  const once = await replay(trace, async () => (await fetch(`${server.url}/api/public/v2/prompts/support`)).text())
  expect(once.divergences[0]).toMatchObject({ cause: 'outcome' })
  expect(served).toBe(3)
})

it('takes URLs as ambient, and answers another request below them with the latest', async () => {
  await using server = await listenStores()
  const agent = (keys: readonly string[]) => async () => {
    const got: string[] = []
    for (const key of keys) got.push(await read(`${server.url}/keys/${key}`))
    return got.length > 0 ? await read(`${server.url}/orders/1`) : 'none'
  }
  const { trace } = await recordRun(agent(['a']), { recorder: { ambient: [`${server.url}/keys`] } })
  for (const keys of [['a'], ['a', 'b'], ['c']]) {
    const run = await replay(trace, agent(keys))
    expect([run.divergences, run.outcome, run.hash]).toEqual([[], { status: 'returned', output: '/orders/1' }, trace.hash])
  }
  const plain = await recordRun(agent(['a']))
  expect((await replay(plain.trace, agent(['a', 'a']))).divergences[0]).toMatchObject({ cause: 'unexpected-call' })
  expect((await replay(plain.trace, agent(['a', 'a']), { ambient: [`${server.url}/keys`] })).divergences).toEqual([])
})
