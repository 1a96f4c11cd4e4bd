import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import { request as undiciRequest } from 'undici'
import { expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { readBody } from '../../../examples/world/read-body.ts'
import { replay } from '../../../src/replay/replay.ts'
import { httpRequest } from '../../support/http-request.ts'
import { describeError } from '../../support/record-beside.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

/** Records an agent against a server, closes the server, and expects a clean replay. */
async function expectSame(agent: (url: string) => Promise<unknown>): Promise<void> {
  const server = await listen(async (request, response) => {
    switch (request.url) {
      case '/lines':
        for (const line of ['one', 'two', 'three']) {
          response.write(line)
          await sleep(3)
        }
        return void response.end()
      case '/gzip':
        return void response.setHeader('content-encoding', 'gzip').end(zlib.gzipSync('{"packed":true}'))
      case '/reset':
        return void request.socket.destroy()
      case '/reset-in-stream':
        response.write('one')
        await sleep(5)
        return void response.destroy()
      case '/endless':
        return void response.write('one')
      case '/hangs':
        return undefined
      case '/missing':
        return void response.writeHead(404).end('no such order')
      case '/trailers':
        response.writeHead(200, { trailer: 'x-request-id' }).write('body')
        response.addTrailers({ 'x-request-id': 'req_1' })
        return void response.end()
      default: {
        const body = (await readBody(request)).toString()
        response.setHeader('content-type', 'application/json').setHeader('x-request-id', 'req_1')
        response.end(JSON.stringify({ method: request.method, url: request.url, body }))
      }
    }
  })
  const run = (): Promise<unknown> => agent(server.url)
  const { trace } = await recordRun(run)
  await server.close()
  await expectClean(trace, run)
}

const caught = (promise: Promise<unknown>): Promise<unknown> => promise.then(() => 'no error', describeError)

it('answers a request as it was answered', () =>
  expectSame(async (url) => {
    const answers = [
      await httpRequest(`${url}/a?q=1`),
      await httpRequest(`${url}/b`, { method: 'POST', body: ['one ', 'two'] }),
      await httpRequest(`${url}/missing`),
    ]
    return answers.map(({ status, statusText, headers, body }) => [
      status,
      statusText,
      headers['content-type'],
      headers['x-request-id'],
      body.toString(),
    ])
  }))

it('answers through an agent that keeps connections alive', () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  return expectSame(async (url) => {
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => httpRequest(`${url}/${name}`, { agent })))
    return answers.map(({ body }) => body.toString())
  }).finally(() => agent.destroy())
})

it('delivers a stream in the chunks that it came in', () =>
  expectSame(
    (url) =>
      new Promise<string[]>((resolve, reject) => {
        const pieces: string[] = []
        http
          .get(`${url}/lines`, (response) => {
            response.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece))
            response.on('end', () => resolve(pieces))
          })
          .on('error', reject)
      }),
  ))

it('passes the encoded answer on unchanged', () =>
  expectSame(async (url) => {
    const { headers, body } = await httpRequest(`${url}/gzip`)
    return [headers['content-encoding'], zlib.gunzipSync(body).toString()]
  }))

it('answers without a body', () => expectSame(async (url) => (await httpRequest(`${url}/a`, { method: 'HEAD' })).status))

it('fails as it failed: before the head, within the body', () =>
  expectSame(async (url) => [await caught(httpRequest(`${url}/reset`)), await caught(httpRequest(`${url}/reset-in-stream`))]))

it('is destroyed by the agent as it was: before the head, by a signal, within the body', () =>
  expectSame(async (url) => [
    await caught(
      new Promise((_, reject) => {
        const request = http.get(`${url}/hangs`).on('error', reject)
        setTimeout(() => request.destroy(), 5)
      }),
    ),
    await caught(httpRequest(`${url}/hangs`, { signal: AbortSignal.timeout(10) })),
    await new Promise<string>((resolve) => {
      http.get(`${url}/endless`, (response) => response.once('data', (piece: Buffer) => (response.destroy(), resolve(piece.toString()))))
    }),
    (await httpRequest(`${url}/a`)).status,
  ]))

it('gives headers that are set late, and bodies that are piped', () =>
  expectSame(
    (url) =>
      new Promise<string>((resolve, reject) => {
        const request = http.request(`${url}/a`, { method: 'PUT' }, (response) => response.setEncoding('utf8').on('data', resolve))
        request.on('error', reject).setHeader('Idempotency-Key', 'k')
        Readable.from(['piped ', 'body']).pipe(request)
      }),
  ))

it('gives trailers', () =>
  expectSame(
    (url) =>
      new Promise<unknown>((resolve, reject) => {
        http.get(`${url}/trailers`, (response) => response.resume().on('end', () => resolve({ ...response.trailers }))).on('error', reject)
      }),
  ))

it('answers undici.request as it was answered', () =>
  expectSame(async (url) => {
    const plain = await undiciRequest(`${url}/a`, { query: { q: 'a b' } })
    const posted = await undiciRequest(`${url}/b`, { method: 'POST', body: Readable.from(['in ', 'pieces']) })
    const zipped = await undiciRequest(`${url}/gzip`)
    return [
      [plain.statusCode, plain.headers['x-request-id'], await plain.body.json()],
      await posted.body.text(),
      [zipped.headers['content-encoding'], zlib.gunzipSync(await zipped.body.bytes()).toString()],
      await caught(undiciRequest(`${url}/reset`)),
      await caught(undiciRequest(`${url}/reset-in-stream`).then(({ body }) => body.text())),
      await caught(undiciRequest(`${url}/hangs`, { signal: AbortSignal.timeout(5) })),
    ]
  }))

it('answers a fetch where the recording has a request, and the other way round', async () => {
  const server = await listen(async (request, response) => {
    const body = await readBody(request)
    if (request.url === '/gzip') return void response.setHeader('content-encoding', 'gzip').end(zlib.gzipSync('{"packed":true}'))
    response.end(`${request.method} ${body.toString()}`)
  })
  const byFetch = async (): Promise<string[]> => [
    await (await fetch(`${server.url}/a`)).text(),
    await (await fetch(`${server.url}/b`, { method: 'POST', body: new Uint8Array([104, 105]) })).text(),
    await (await fetch(`${server.url}/gzip`)).text(),
  ]
  const byRequest = async (): Promise<string[]> => {
    const answers = [
      await httpRequest(`${server.url}/a`),
      await httpRequest(`${server.url}/b`, { method: 'POST', body: ['hi'] }),
      await httpRequest(`${server.url}/gzip`),
    ]
    return answers.map(({ headers, body }) => (headers['content-encoding'] === 'gzip' ? zlib.gunzipSync(body) : body).toString())
  }
  const [fetched, requested] = [await recordRun(byFetch), await recordRun(byRequest)]
  await server.close()
  const runs = [await replay(fetched.trace, byRequest), await replay(requested.trace, byFetch)]
  for (const run of runs) {
    expect(run.divergences).toEqual([])
    expect(run.outcome).toEqual({ status: 'returned', output: ['GET ', 'POST hi', '{"packed":true}'] })
  }
})

it('answers https where the recording was of https', async () => {
  // No certificate is needed to see what the agent sees: the recording is of http, its address is rewritten.
  const server = await listen(async (_request, response) => void response.end('secure'))
  const ask = (base: string) => (): Promise<string> =>
    new Promise((resolve, reject) => {
      const client = base.startsWith('https:') ? https : http
      client.get(`${base}/a`, (response) => response.setEncoding('utf8').on('data', resolve)).on('error', reject)
    })
  const { trace } = await recordRun(ask(server.url))
  await server.close()
  const rows = trace.rows.map((row) =>
    row.kind === 'call'
      ? { ...row, name: 'api.example.com', input: { method: 'GET', url: 'https://api.example.com/a', headers: [] } }
      : row,
  )
  const run = await replay({ ...trace, rows }, ask('https://api.example.com'))
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'secure' }])
})
