import http2 from 'node:http2'
import http from 'node:http'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { request as undiciRequest } from 'undici'
import { listen } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'

const look = tool('look', {}, async (order: string) => order)
const span = '{"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[]}]}'

/** Sends a body to a path and reads the status. */
type Send = (url: string, body: string) => Promise<number>

const clients: readonly (readonly [name: string, send: Send])[] = [
  ['fetch', async (url, body) => (await fetch(url, { method: 'POST', body })).status],
  [
    'fetch with a stream',
    async (url, body) => (await fetch(url, { method: 'POST', body: new Blob([body]).stream(), duplex: 'half' } as RequestInit)).status,
  ],
  [
    'undici',
    async (url, body) => {
      const { statusCode, body: answer } = await undiciRequest(url, { method: 'POST', body })
      await answer.dump()
      return statusCode
    },
  ],
  ['http.request', (url, body) => sendInPieces(url, [body])],
  ['http.request in pieces, a turn between them', (url, body) => sendInPieces(url, [body.slice(0, 10), body.slice(10)])],
]

async function sendInPieces(url: string, pieces: readonly string[]): Promise<number> {
  const request = http.request(url, { method: 'POST' })
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>
  for (const piece of pieces) {
    request.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  request.end()
  const [answer] = await answered
  answer.resume()
  await once(answer, 'end')
  return answer.statusCode ?? 0
}

describe.each(clients)('%s', (_, send) => {
  it('leaves telemetry out, which only its body tells, however often it is sent', async () => {
    let received = 0
    await using server = await listen(async (incoming, response) => {
      await once(incoming.resume(), 'end')
      received += 1
      response.end('{}')
    })
    const agent = (batches: number) => async () => {
      for (let batch = 0; batch < batches; batch += 1) await send(`${server.url}/v1/traces`, span)
      return await look('ord_1')
    }
    const { trace, stats } = await recordRun(agent(2))
    expect([received, stats.muted, trace.steps.map(({ name, step }) => [name, step])]).toEqual([2, 2, [['look', 1]]])
    expect(rowsOf(trace, 'closed')).toMatchObject([{ muted: 2 }])
    for (const batches of [0, 1, 2, 5]) {
      const run = await replay(trace, agent(batches))
      expect([run.divergences, run.outcome, run.hash]).toEqual([[], { status: 'returned', output: 'ord_1' }, trace.hash])
    }
    expect(received).toBe(2)
  })

  it('records a call with the same path and another body, and compares it', async () => {
    await using server = await listen(async (incoming, response) => {
      await once(incoming.resume(), 'end')
      response.statusCode = 201
      response.end('{"id":"entry_1"}')
    })
    const agent = (entry: string) => async () => [await look('ord_1'), await send(`${server.url}/v1/logs`, JSON.stringify({ entry }))]
    const { trace, stats } = await recordRun(agent('left port'))
    expect([stats.muted, trace.steps.map(({ boundary }) => boundary)]).toEqual([0, ['tool', 'http']])
    for (let time = 0; time < 3; time += 1) {
      const same = await replay(trace, agent('left port'))
      expect([same.divergences, same.outcome, same.hash]).toEqual([[], { status: 'returned', output: ['ord_1', 201] }, trace.hash])
    }
    const changed = await replay(trace, agent('sank'))
    expect(changed.divergences[0]).toMatchObject({ cause: 'input', step: 2 })
  })
})

it('leaves telemetry over HTTP/2 out, and records a call with the same path', async () => {
  let received = 0
  const server = http2.createServer()
  server.on('stream', (stream) => {
    received += 1
    stream.resume().on('end', () => {
      stream.respond({ ':status': 202 })
      stream.end('ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const send = async (session: http2.ClientHttp2Session, body: string): Promise<number> => {
    const stream = session.request({ ':method': 'POST', ':path': '/v1/traces' })
    stream.end(body)
    const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders]
    stream.resume()
    await once(stream, 'end')
    return Number(headers[':status'])
  }
  const agent = (batches: number, sample: string) => async () => {
    const session = http2.connect(`http://127.0.0.1:${port}`)
    for (let batch = 0; batch < batches; batch += 1) await send(session, span)
    const status = await send(session, JSON.stringify({ sample }))
    session.close()
    return status
  }
  const { trace, stats } = await recordRun(agent(2, 'a'))
  server.close()
  expect([received, stats.muted, trace.steps.length]).toEqual([3, 2, 1])
  for (const batches of [0, 2, 3]) {
    const run = await replay(trace, agent(batches, 'a'))
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 202 }])
  }
  expect((await replay(trace, agent(2, 'b'))).divergences[0]).toMatchObject({ cause: 'input', step: 1 })
})

it('records a call that is aborted before its body shows what it is', async () => {
  await using server = await listen(async (incoming) => void incoming.resume())
  const agent = async (): Promise<string> => {
    const request = http.request(`${server.url}/v1/traces`, { method: 'POST' })
    request.write('{"resource')
    await new Promise((resolve) => setImmediate(resolve))
    request.destroy(new Error('given up'))
    const [error] = (await once(request, 'error')) as [Error]
    return error.message
  }
  const { trace } = await recordRun(agent)
  expect(trace.steps).toMatchObject([{ boundary: 'http', error: { message: 'given up' } }])
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'given up' }])
})

it('keeps the idle limit of a call whose body is not known yet', async () => {
  await using server = await listen(async (incoming) => void incoming.resume())
  const agent = async (): Promise<string> => {
    const request = http.request(`${server.url}/v1/traces`, { method: 'POST', timeout: 40 })
    request.write('{"entry":1}')
    setImmediate(() => request.end())
    request.on('timeout', () => request.destroy(new Error('too slow')))
    const [error] = (await once(request, 'error')) as [Error]
    return error.message
  }
  const { trace } = await recordRun(agent)
  expect(trace.steps).toMatchObject([{ boundary: 'http', error: { message: 'too slow' } }])
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'too slow' }])
})
