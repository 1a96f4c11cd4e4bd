import zlib from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type * as Undici from 'undici'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { installDoors } from '../../src/boundaries/doors.ts'
import type { HttpInput } from '../../src/trace/rows.ts'
import { recordBeside } from '../support/record-beside.ts'
import { kindsOf, recordRun, rowsOf } from '../support/record-run.ts'

// As `const { fetch } = globalThis` at the top of a client's module, loaded before any recorder is made.
const earlyFetch = globalThis.fetch

const server = await listen(async (request, response) => {
  const body = await readBody(request)
  if (request.url === '/gzip') return void response.setHeader('content-encoding', 'gzip').end(zlib.gzipSync('Hello'))
  if (request.url === '/moved') return void response.writeHead(302, { location: '/echo' }).end()
  if (request.url === '/reset') return void request.socket.destroy()
  response
    .setHeader('content-type', 'text/plain')
    .setHeader('x-request-id', 'req_1')
    .end(`${request.method} ${request.url} ${body.toString()}`)
})
afterAll(() => server.close())

// The package sets a global dispatcher of its own when it is loaded: here, while the doors are open.
const release = installDoors()
let undici: typeof Undici
beforeAll(async () => {
  undici = await import('undici')
  release()
})

it('records a fetch that was captured before the recorder was made', async () => {
  const { trace, output } = await recordBeside(async () =>
    (await earlyFetch(`${server.url}/echo`, { method: 'POST', body: 'early' })).text(),
  )
  expect(output).toBe('POST /echo early')
  expect(trace.steps).toMatchObject([
    { boundary: 'http', input: { method: 'POST', url: `${server.url}/echo`, text: 'early' }, output: { status: 200, text: output } },
  ])
})

it('follows the redirects of a fetch that was captured early', async () => {
  const { trace, output } = await recordBeside(async () => (await earlyFetch(`${server.url}/moved`)).text())
  expect(output).toBe('GET /echo ')
  expect(trace.steps.length).toBeGreaterThan(0)
})

it('records the fetch of the undici package', async () => {
  const { trace, output } = await recordBeside(async () =>
    (await undici.fetch(`${server.url}/echo`, { method: 'POST', body: 'package' })).text(),
  )
  expect(output).toBe('POST /echo package')
  expect(trace.steps).toMatchObject([
    { input: { method: 'POST', url: `${server.url}/echo`, text: 'package' }, output: { status: 200, text: output } },
  ])
})

it('decodes what a fetch decodes, whoever made it', async () => {
  for (const fetch of [earlyFetch, undici.fetch]) {
    const { trace, output } = await recordBeside(async () => (await fetch(`${server.url}/gzip`)).text())
    expect(output).toBe('Hello')
    expect(rowsOf(trace, 'chunk').map(({ text }) => text)).toEqual(['Hello'])
  }
})

it('passes the encoded answer to undici.request unchanged', async () => {
  const { trace, output } = await recordBeside(async () => {
    const { statusCode, headers, body } = await undici.request(`${server.url}/gzip`)
    return [statusCode, headers['content-encoding'], zlib.gunzipSync(await body.bytes()).toString()]
  })
  expect(output).toEqual([200, 'gzip', 'Hello'])
  expect(kindsOf(trace)).toEqual(['call 1', 'head 1', 'chunk 1', 'return 1', 'end', 'closed'])
})

it('passes raw headers to undici.request unchanged on request', async () => {
  const { output } = await recordBeside(async () => {
    const { headers, body } = await undici.request(`${server.url}/gzip`, { responseHeaders: 'raw' })
    await body.dump()
    return (headers as unknown as (string | Buffer)[]).map(String).filter((text) => text.toLowerCase().startsWith('content-'))
  })
  expect(output.map((name) => name.toLowerCase())).toContain('content-encoding')
})

it('records undici.request, its query and its bodies', async () => {
  const { trace, output } = await recordBeside(async () => {
    const plain = await undici.request(`${server.url}/echo`, { query: { q: 'a b', n: 2 } })
    const text = await undici.request(`${server.url}/echo`, { method: 'POST', body: 'text', headers: { 'content-type': 'text/x' } })
    const bytes = await undici.request(`${server.url}/echo`, {
      method: 'PUT',
      body: Buffer.from('bytes'),
      headers: ['Idempotency-Key', 'k1'],
    })
    const pieces = async function* (): AsyncGenerator<string> {
      yield 'in '
      yield 'pieces'
    }
    const streamed = await undici.request(`${server.url}/echo`, {
      method: 'PUT',
      body: (await import('node:stream')).Readable.from(pieces()),
    })
    return [
      await plain.body.text(),
      await text.body.text(),
      await bytes.body.text(),
      await streamed.body.text(),
      plain.headers['x-request-id'],
    ]
  })
  expect(output).toEqual(['GET /echo?q=a%20b&n=2 ', 'POST /echo text', 'PUT /echo bytes', 'PUT /echo in pieces', 'req_1'])
  expect(trace.steps.map(({ input }) => input)).toEqual([
    { method: 'GET', url: `${server.url}/echo?q=a%20b&n=2`, headers: [] },
    { method: 'POST', url: `${server.url}/echo`, headers: [['content-type', 'text/x']], text: 'text' },
    { method: 'PUT', url: `${server.url}/echo`, headers: [['idempotency-key', 'k1']], text: 'bytes' },
    { method: 'PUT', url: `${server.url}/echo`, headers: [], text: 'in pieces' },
  ] satisfies HttpInput[])
})

it('records what fails in undici.request', async () => {
  const { trace, error } = await recordBeside(() => undici.request(`${server.url}/reset`))
  expect(error).toMatchObject({ name: 'SocketError', message: 'other side closed' })
  expect(rowsOf(trace, 'throw')).toMatchObject([{ error: { name: 'SocketError', code: 'UND_ERR_SOCKET' } }])
})

it('records a call with a dispatcher of its own', async () => {
  const { trace, output } = await recordBeside(async () => {
    const agent = new undici.Agent()
    const init: RequestInit & { dispatcher: Undici.Dispatcher } = { dispatcher: new undici.Dispatcher1Wrapper(agent) }
    const response = await fetch(`${server.url}/echo`, init)
    const text = await response.text()
    await agent.close()
    return text
  })
  expect(output).toBe('GET /echo ')
  expect(trace.steps).toHaveLength(1)
})

it('records once what goes through a dispatcher that the program set meanwhile', async () => {
  const before = undici.getGlobalDispatcher()
  const { trace, output } = await recordRun(async () => {
    const retrying = undici.getGlobalDispatcher().compose((dispatch) => (options, handler) => dispatch(options, handler))
    undici.setGlobalDispatcher(retrying)
    const answers = [(await fetch(`${server.url}/a`)).text(), (await undici.request(`${server.url}/b`)).body.text()]
    return Promise.all(answers)
  })
  undici.setGlobalDispatcher(before)
  expect(output).toEqual(['GET /a ', 'GET /b '])
  expect(trace.steps.map(({ input }) => (input as HttpInput).url)).toEqual([`${server.url}/a`, `${server.url}/b`])
})
