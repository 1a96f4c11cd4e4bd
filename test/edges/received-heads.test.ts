import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import zlib from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { request as undiciRequest } from 'undici'
import { WebSocket, WebSocketServer } from 'ws'
import { renderReport } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean, toGoldenTrace } from '../support/replay-clean.ts'

/** What a server sends, byte by byte. Each connection serves one request. */
const sent = new Map<string, Buffer>()
const server = net.createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', (head: Buffer) => void socket.end(sent.get(String(head).split(' ')[1] ?? '') ?? ''))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as net.AddressInfo
afterAll(() => void server.close())

/** Returns the URL of a response. */
function serve(path: string, lines: readonly string[], body: Buffer | string = ''): string {
  sent.set(path, Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body as string)]))
  return `http://127.0.0.1:${port}${path}`
}

interface Received {
  readonly informed: readonly unknown[]
  readonly head: readonly unknown[]
  readonly body: string
  readonly rawTrailers: readonly string[]
}

function get(url: string, method = 'GET'): Promise<Received> {
  return new Promise((resolve, reject) => {
    const informed: unknown[] = []
    const request = http.request(url, { method, agent: false }, (response) => {
      const { statusCode, statusMessage, httpVersion, rawHeaders } = response
      const head = [statusCode, statusMessage, httpVersion, rawHeaders]
      let body = ''
      response.on('data', (piece: Buffer) => void (body += String(piece)))
      response.on('end', () => resolve({ informed, head, body, rawTrailers: response.rawTrailers }))
    })
    request.on('information', ({ statusCode, rawHeaders }) => informed.push([statusCode, rawHeaders]))
    request.on('error', reject).end()
  })
}

it('gives http.request the head, the informational responses and the trailers that it received', async () => {
  const url = serve('/whole', [
    'HTTP/1.1 103 Early Hints',
    'Link: </a.css>; rel=preload',
    '',
    'HTTP/1.1 299 Caf\u00E9 closed',
    'X-One: 1',
    'x-ONE: caf\u00E9',
    'Set-Cookie: theme=dark; Path=/',
    'Set-Cookie: lang=de',
    'Transfer-Encoding: chunked',
    'Trailer: X-Sum',
    '',
    '2',
    'hi',
    '0',
    'X-Sum: 42',
  ])
  const agent = (): Promise<Received> => get(url)
  const { trace, output } = await recordRun(agent)
  expect(output).toMatchObject({ informed: [[103, ['Link', '</a.css>; rel=preload']]], body: 'hi', rawTrailers: ['X-Sum', '42'] })
  expect(output.head.slice(0, 3)).toEqual([299, 'Caf\u00E9 closed', '1.1'])
  for (const each of [trace, toGoldenTrace(trace)]) {
    let replayed: Received | undefined
    await replay(each, async () => (replayed = await agent()))
    // The values of cookies have stand-ins.
    expect(withoutCookies(replayed)).toEqual(withoutCookies(output))
  }
})

function withoutCookies(received: Received | undefined): unknown {
  return JSON.parse(JSON.stringify(received).replaceAll(/(theme|lang)=[^;"]+/g, '$1=…'))
}

it.each([200, 299, 451, 599, 600, 999])('gives a fetch the status %i', async (status) => {
  const url = serve(`/status/${status}`, [`HTTP/1.1 ${status} As You Like`, 'Content-Length: 2'], 'ok')
  const agent = async (): Promise<unknown> => {
    const response = await fetch(url)
    const copy = response.clone()
    return [response.status, response.statusText, response.ok, copy.status, copy.ok, await response.text(), await copy.text()]
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([status, 'As You Like', status < 300, status, status < 300, 'ok', 'ok'])
  await expectClean(trace, agent)
})

it('gives a fetch its cookies, which the agent sends back', async () => {
  const asked: (string | undefined)[] = []
  const shop = http.createServer((request, response) => {
    asked.push(request.headers.cookie)
    response.setHeader('Set-Cookie', ['sid=4f9a2c77e1b0; HttpOnly', 'cart=b81c55d0aa91; Path=/'])
    response.end('{}')
  })
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(shop.address() as net.AddressInfo).port}`
  const agent = async (): Promise<unknown> => {
    const cookies = (await fetch(url)).headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
    await fetch(url, { headers: { cookie: cookies.join('; ') } })
    return cookies.map((cookie) => cookie?.split('=', 1)[0])
  }
  const { trace, output, text } = await recordRun(agent)
  shop.close()
  expect(output).toEqual(['sid', 'cart'])
  expect(asked[1]).toBe('sid=4f9a2c77e1b0; cart=b81c55d0aa91')
  expect(text).not.toMatch(/4f9a2c77e1b0|b81c55d0aa91/)
  await expectClean(trace, agent)
})

it('gives HTTP/2 its headers in order, its informational responses and its trailers', async () => {
  const shop = http2.createServer()
  shop.on('stream', (stream) => {
    stream.additionalHeaders({ ':status': 103, 'x-hint': 'soon' })
    stream.respond({ ':status': 200, 'x-two': ['a', 'b'], 'x-page': '3' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '42' }))
    stream.end('done')
  })
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(shop.address() as net.AddressInfo).port}`
  const agent = async (): Promise<unknown> => {
    const session = http2.connect(url)
    const stream = session.request({ ':path': '/' })
    const told: unknown[] = []
    stream.on('headers', (headers) => told.push([headers[':status'], headers['x-hint']]))
    stream.on('response', (headers, _flags, raw: string[]) =>
      told.push(
        headers['x-two'],
        headers['x-page'],
        raw.filter((name) => name.startsWith('x-')),
      ),
    )
    stream.on('trailers', (trailers) => told.push(trailers['x-sum']))
    let body = ''
    for await (const piece of stream) body += String(piece)
    session.close()
    return [...told, body]
  }
  const { trace, output } = await recordRun(agent)
  shop.close()
  expect(output).toEqual([[103, 'soon'], 'a, b', '3', ['x-two', 'x-two', 'x-page'], '42', 'done'])
  await expectClean(trace, agent)
})

const secret = 'Invoice for ann.hart@firm.de: 12 EUR'
const md5 = (text: string | Buffer): string => createHash('md5').update(text).digest('base64')
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

it('computes digests of a body that redaction changed', async () => {
  const url = serve(
    '/digests',
    [
      'HTTP/1.1 200 OK',
      `Content-MD5: ${md5(secret)}`,
      `ETag: "${sha256(secret)}"`,
      `X-Part: ${md5('other')}`,
      `Content-Length: ${secret.length}`,
    ],
    secret,
  )
  const agent = async (): Promise<unknown> => {
    const { head, body } = await get(url)
    const headers = head[3] as string[]
    return [headers[1] === md5(body), headers[3] === `"${sha256(body)}"`, headers[5] === md5('other'), Number(headers[7]) === body.length]
  }
  const { trace, output, text } = await recordRun(agent)
  expect(output).toEqual([true, true, true, true])
  expect(text).not.toContain(md5(secret))
  expect(text).not.toContain(sha256(secret))
  await expectClean(trace, agent)
})

it('keeps digests of a body that redaction did not change, whatever they are of', async () => {
  const url = serve('/digest', ['HTTP/1.1 200 OK', `Content-MD5: ${md5('another')}`, 'Content-Length: 5'], 'plain')
  const agent = async (): Promise<unknown> => [(await fetch(url)).headers.get('content-md5'), (await get(url)).head]
  const { trace } = await recordRun(agent)
  await expectClean(trace, agent)
})

it('computes the length and the digests of a body that is encoded anew', async () => {
  const body = zlib.gzipSync('text '.repeat(50))
  const url = serve(
    '/gzip',
    ['HTTP/1.1 200 OK', 'Content-Encoding: gzip', `Content-MD5: ${md5(body)}`, `Content-Length: ${body.length}`],
    body,
  )
  const agent = async (): Promise<unknown> => {
    const fetched = await fetch(url)
    const length = fetched.headers.get('content-length')
    const { statusCode, headers, body: answer } = await undiciRequest(url)
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isTrue = [headers['content-md5'] === md5(bytes), Number(headers['content-length']) === bytes.length]
    return [length, (await fetched.text()).length, statusCode, ...isTrue, zlib.gunzipSync(bytes).length]
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([String(body.length), 250, 200, true, true, 250])
  await expectClean(trace, agent)
})

it.each(['HEAD', 'GET'])('keeps the length that a response without a body has: %s', async (method) => {
  const status = method === 'HEAD' ? '200 OK' : '304 Not Modified'
  const url = serve(`/length/${method}`, [`HTTP/1.1 ${status}`, 'Content-Length: 1234', 'ETag: "a"'])
  const agent = async (): Promise<readonly unknown[]> => [
    (await get(url, method)).head,
    (await fetch(url, { method })).headers.get('content-length'),
  ]
  const { trace, output } = await recordRun(agent)
  expect(output[1]).toBe('1234')
  await expectClean(trace, agent)
})

it('compares a returned response with its headers', async () => {
  const agent = (cache: string) => (): Response =>
    new Response('ok', { headers: { 'cache-control': cache, 'cf-ray': 'any', etag: `"${sha256('ok')}"` } })
  const { trace } = await recordRun(agent('no-store'), { consume: (response: Response) => response.text() })
  await expectClean(trace, agent('no-store'))
  expect((await replay(trace, agent('max-age=60'))).divergences[0]?.cause).toBe('outcome')
})

it('compares a returned response without a body', async () => {
  const agent = (to: string) => (): Response => Response.redirect(`https://shop.example/${to}`, 303)
  const { trace } = await recordRun(agent('orders'))
  await expectClean(trace, agent('orders'))
  expect((await replay(trace, agent('basket'))).divergences[0]?.cause).toBe('outcome')
})

it('writes the names of headers as received', async () => {
  const url = serve('/names', ['HTTP/1.1 200 OK', 'X-One: 1', 'CF-Ray: 2', 'x-one: 3', 'Content-Length: 0'])
  const { trace } = await recordRun(async () => (await fetch(url)).status)
  expect(trace.rows.filter(({ kind }) => kind === 'head')).toMatchObject([
    {
      headers: [
        ['X-One', '1'],
        ['x-one', '3'],
        ['Content-Length', '0'],
      ],
      leftOut: ['cf-ray'],
    },
  ])
})

const noisy = ['HTTP/1.1 200 OK', 'CF-Ray: 8f1a2b3c-FRA', 'Alt-Svc: h3=":443"', 'X-Page: 2', 'Content-Length: 2']

it('compares all headers that an agent returns, except those that are left out', async () => {
  const url = serve('/all', noisy, 'ok')
  const agent = (page: string) => async (): Promise<unknown> => {
    const { headers } = await fetch(url)
    return { headers: { ...Object.fromEntries(headers), 'x-page': page }, pairs: [...headers], raw: (await get(url)).body }
  }
  const { trace, output } = await recordRun(agent('2'))
  expect(output).toMatchObject({ headers: { 'cf-ray': '8f1a2b3c-FRA', 'x-page': '2' } })
  for (const each of [trace, toGoldenTrace(trace)]) expect((await replay(each, agent('2'))).divergences).toEqual([])
  expect((await replay(trace, agent('3'))).divergences[0]?.cause).toBe('outcome')
})

it.each<[string, (url: string) => Promise<unknown>]>([
  ['fetch', async (url) => (await fetch(url)).headers.get('CF-Ray')],
  ['undici', async (url) => (await undiciRequest(url)).headers['cf-ray']],
  ['http.request', (url) => new Promise((resolve) => http.get(url, { agent: false }, ({ headers }) => resolve(headers['cf-ray'])))],
])('names a header that was left out where an agent reads it by %s', async (_client, read) => {
  const url = serve('/read', noisy, 'ok')
  const { trace, output } = await recordRun(() => read(url))
  expect(output).toBe('8f1a2b3c-FRA')
  const run = await replay(trace, () => read(url))
  expect(run.missedHeaders).toEqual(['cf-ray'])
  expect(renderReport(run, { color: false, width: 120 })).toContain(
    'Note: the agent read the response header cf-ray, which recordings leave out (docs/doors.md).',
  )
})

it('gives a WebSocket the headers of its handshake, and the reason of a refusal', async () => {
  const shop = http.createServer()
  const sockets = new WebSocketServer({ noServer: true })
  sockets.on('headers', (lines) => lines.push('X-Region: eu', 'Set-Cookie: sid=4f9a2c77e1b0; Path=/'))
  shop.on('upgrade', (request, socket, head) => {
    if (request.url === '/full') return void socket.end('HTTP/1.1 503 Come Back Later\r\nX-Wait: 5\r\nConnection: close\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (client) => client.close(1000))
  })
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  const url = `ws://127.0.0.1:${(shop.address() as net.AddressInfo).port}`
  const agent = async (): Promise<unknown> => {
    const open = new WebSocket(url)
    const [{ rawHeaders }] = (await once(open, 'upgrade')) as [http.IncomingMessage]
    await once(open, 'close')
    const refused = new WebSocket(`${url}/full`)
    const [, response] = (await once(refused, 'unexpected-response')) as [unknown, http.IncomingMessage]
    response.resume()
    await once(response, 'end')
    const region = rawHeaders[rawHeaders.indexOf('X-Region') + 1]
    const cookie = rawHeaders[rawHeaders.indexOf('Set-Cookie') + 1]?.replace(/=\w+/, '=…')
    return [region, cookie, response.statusCode, response.statusMessage, response.headers['x-wait']]
  }
  const { trace, output, text } = await recordRun(agent)
  shop.close()
  expect(output).toEqual(['eu', 'sid=…; Path=/', 503, 'Come Back Later', '5'])
  expect(text).not.toContain('4f9a2c77e1b0')
  await expectClean(trace, agent)
})
