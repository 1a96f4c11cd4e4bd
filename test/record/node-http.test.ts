import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { replay } from '../../src/replay/replay.ts'
import type { HttpInput } from '../../src/trace/rows.ts'
import { httpRequest } from '../support/http-request.ts'
import { recordBeside } from '../support/record-beside.ts'
import { kindsOf, rowsOf } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const server = await listen(async (request, response) => {
  switch (request.url) {
    case '/reset':
      return void request.socket.destroy()
    case '/reset-in-stream':
      response.write('one')
      await sleep(10)
      return void response.destroy()
    case '/hangs':
      return undefined
    case '/endless':
      return void response.write('one')
    case '/gzip':
      return void response.setHeader('content-encoding', 'gzip').end(zlib.gzipSync('Hello'))
    case '/lines':
      for (const line of ['one', 'two', 'three']) {
        response.write(line)
        await sleep(5)
      }
      return void response.end()
    case '/early':
      return void response.writeHead(413, { connection: 'close' }).end('too large')
    default:
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ method: request.method, url: request.url, body: (await readBody(request)).toString() }))
  }
})
const agent = new http.Agent({ keepAlive: true })
afterAll(async () => {
  agent.destroy()
  await server.close()
})

it('records a request and its answer, over a connection that is kept alive too', async () => {
  const { trace, output } = await recordBeside(async () => {
    const answers = [await httpRequest(`${server.url}/a?q=1`, { agent }), await httpRequest(`${server.url}/b`, { agent })]
    return answers.map(({ status, statusText, body }) => [status, statusText, body.toString()])
  })
  expect(output).toEqual([
    [200, 'OK', '{"method":"GET","url":"/a?q=1","body":""}'],
    [200, 'OK', '{"method":"GET","url":"/b","body":""}'],
  ])
  expect(trace.steps).toMatchObject([
    {
      boundary: 'http',
      name: new URL(server.url).host,
      input: { method: 'GET', url: `${server.url}/a?q=1` },
      output: { status: 200, json: { url: '/a?q=1' } },
    },
    { input: { url: `${server.url}/b` }, output: { json: { url: '/b' } } },
  ])
})

it('records what is written, in pieces and by end, with headers set late', async () => {
  const { trace } = await recordBeside(async () => {
    const request = http.request(`${server.url}/a`, { method: 'POST', headers: { Authorization: 'Bearer x' } })
    const answer = new Promise<number | undefined>((resolve) =>
      request.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode))),
    )
    request.setHeader('Content-Type', 'text/x')
    request.write('one ')
    request.write('74776f20', 'hex')
    request.write(Buffer.from('three '))
    request.end('four')
    return answer
  })
  expect(trace.steps[0]?.input).toEqual({
    method: 'POST',
    url: `${server.url}/a`,
    headers: [
      ['authorization', 'Bearer [credential]'],
      ['content-type', 'text/x'],
    ],
    text: 'one two three four',
  } satisfies HttpInput)
})

it('records a stream piece by piece', async () => {
  const { trace } = await recordBeside(async () => (await httpRequest(`${server.url}/lines`)).body.toString())
  expect(rowsOf(trace, 'chunk').map(({ text }) => text)).toEqual(['one', 'two', 'three'])
})

it('passes the encoded answer on unchanged, and keeps it decoded', async () => {
  const { trace, output } = await recordBeside(async () => {
    const { headers, body } = await httpRequest(`${server.url}/gzip`)
    return [headers['content-encoding'], zlib.gunzipSync(body).toString()]
  })
  expect(output).toEqual(['gzip', 'Hello'])
  expect(trace.steps[0]?.output).toMatchObject({ text: 'Hello' })
})

it('records an answer without a body', async () => {
  const { trace } = await recordBeside(async () => (await httpRequest(`${server.url}/a`, { method: 'HEAD' })).body.length)
  expect(kindsOf(trace)).toEqual(['call 1', 'head 1', 'return 1', 'end', 'closed'])
})

it('records a connection that the server resets before the head as the doing of the world', async () => {
  const { trace, error } = await recordBeside(() => httpRequest(`${server.url}/reset`))
  expect(error).toMatchObject({ message: 'socket hang up', code: 'ECONNRESET' })
  const [row] = rowsOf(trace, 'throw')
  expect(row?.error).toMatchObject({ message: 'socket hang up', code: 'ECONNRESET' })
  expect(row).not.toHaveProperty('by')
})

it('records a connection that the server resets within the body', async () => {
  const { trace, error } = await recordBeside(() => httpRequest(`${server.url}/reset-in-stream`))
  expect(error).toMatchObject({ message: 'aborted', code: 'ECONNRESET' })
  expect(kindsOf(trace)).toEqual(['call 1', 'head 1', 'chunk 1', 'throw 1', 'end', 'closed'])
  expect(rowsOf(trace, 'throw')[0]).not.toHaveProperty('by')
})

it('records a connection that is refused', async () => {
  const gone = await listen(async () => undefined)
  await gone.close()
  const { trace } = await recordBeside(() => httpRequest(gone.url))
  expect(rowsOf(trace, 'throw')).toMatchObject([{ error: { code: 'ECONNREFUSED' } }])
})

it('records as the doing of the agent what it destroys before the head', async () => {
  const { trace, error } = await recordBeside(
    () =>
      new Promise((_, reject) => {
        const request = http.get(`${server.url}/hangs`).on('error', reject)
        setTimeout(() => request.destroy(), 10)
      }),
  )
  expect(error).toMatchObject({ message: 'socket hang up', code: 'ECONNRESET' })
  expect(rowsOf(trace, 'throw')).toMatchObject([{ step: 1, by: 'agent', error: { code: 'ECONNRESET' } }])
})

it('records as the doing of the agent what its signal or its timeout aborts', async () => {
  const { trace, error } = await recordBeside(() => httpRequest(`${server.url}/hangs`, { signal: AbortSignal.timeout(10) }))
  expect(error).toMatchObject({ name: 'AbortError', code: 'ABORT_ERR', cause: { name: 'TimeoutError' } })
  expect(rowsOf(trace, 'throw')).toMatchObject([{ step: 1, by: 'agent', error: { name: 'AbortError', code: 'ABORT_ERR' } }])
})

it('records as the doing of the agent that it stops reading', async () => {
  const { trace } = await recordBeside(
    () =>
      new Promise<string>((resolve, reject) => {
        http
          .get(`${server.url}/endless`, (response) =>
            response.once('data', (piece: Buffer) => (response.destroy(), resolve(piece.toString()))),
          )
          .on('error', reject)
      }),
  )
  expect(kindsOf(trace)).toEqual(['call 1', 'head 1', 'chunk 1', 'return 1', 'end', 'closed'])
  expect(rowsOf(trace, 'return')).toMatchObject([{ by: 'agent' }])
})

it('records as the doing of the agent that it stops reading with an error of its own', async () => {
  const run = (): Promise<never> =>
    new Promise((_, reject) => {
      const request = http.get(`${server.url}/endless`, (response) => {
        response.on('error', reject).once('data', () => response.destroy(new RangeError('enough')))
      })
      request.on('error', reject)
    })
  const { trace, error } = await recordBeside(run)
  expect(error).toMatchObject({ name: 'RangeError', message: 'enough' })
  expect(kindsOf(trace)).toEqual(['call 1', 'head 1', 'chunk 1', 'return 1', 'end', 'closed'])
  expect(rowsOf(trace, 'return')).toMatchObject([{ by: 'agent' }])
  await expectClean(trace, run)
})

it('keeps what was written where the answer comes before the end of the request', async () => {
  const run = (): Promise<number | undefined> =>
    new Promise((resolve) => {
      const request = http.request(`${server.url}/early`, { method: 'POST' }, (response) =>
        response.resume().on('end', () => resolve(response.statusCode)),
      )
      request.on('error', () => undefined)
      request.write('half of ')
    })
  const { trace } = await recordBeside(run)
  expect(trace.steps[0]).toMatchObject({ input: { method: 'POST', text: 'half of ' }, output: { status: 413 } })
  await expectClean(trace, run)
})

const unfinished: Readonly<Record<string, { readonly run: () => Promise<never>; readonly message: string }>> = {
  'the server resets the connection': { run: () => postHalf('/reset'), message: 'socket hang up' },
  'the agent destroys the request': { run: () => postHalf('/hangs', (request) => request.destroy(new Error('enough'))), message: 'enough' },
}

/** Begins to write a request, and does not end it. */
function postHalf(path: string, then?: (request: http.ClientRequest) => void): Promise<never> {
  return new Promise((_, reject) => {
    const request = http.request(`${server.url}${path}`, { method: 'POST' }).on('error', reject)
    request.write('half of ')
    if (then !== undefined) setTimeout(() => then(request), 10)
  })
}

it('waits in a replay for a request that is written more slowly than it was', async () => {
  const post = async (...pauses: number[]): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const request = http.request(
      `${server.url}/echo`,
      { method: 'POST' },
      (response) => void readBody(response).then((body) => resolve(body.toString())),
    )
    request.on('error', reject).write('half of ')
    for (const pause of pauses) await new Promise((done) => setTimeout(done, pause))
    request.end('it')
    return await promise
  }
  const { trace } = await recordBeside(() => post(5))
  await expectClean(trace, () => post(5))
  const run = await replay(trace, () => post(5, 700))
  expect(run.steps.map(({ input }) => input)).toMatchObject([{ text: 'half of it' }])
})

for (const [what, { run, message }] of Object.entries(unfinished)) {
  it(`keeps what was written where ${what} before the end of the request`, async () => {
    const { trace, error } = await recordBeside(run)
    expect(error?.message).toBe(message)
    expect(trace.steps[0]).toMatchObject({ input: { method: 'POST', text: 'half of ' } })
    await expectClean(trace, run)
  })
}

it('lets listeners run in the run, whoever opened the connection', async () => {
  await httpRequest(`${server.url}/a`, { agent })
  const { trace } = await recordBeside(async () => {
    await httpRequest(`${server.url}/a`, { agent })
    await httpRequest(`${server.url}/b`, { agent })
    return 'done'
  })
  expect(kindsOf(trace)).toEqual(['call 1', 'head 1', 'chunk 1', 'return 1', 'call 2', 'head 2', 'chunk 2', 'return 2', 'end', 'closed'])
})

it('leaves no trace on a request that is made after the recorder was closed', async () => {
  await recordBeside(async () => (await httpRequest(`${server.url}/a`, { agent })).status)
  const request = http.request(`${server.url}/a`, { agent })
  expect(Object.keys(request)).not.toContain('write')
  request.destroy()
  request.on('error', () => undefined)
})

it('records of an upgrade that it was granted, and leaves the connection alone', async () => {
  const upgrading = http.createServer().on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nhello')
  })
  await new Promise<void>((resolve) => upgrading.listen(0, '127.0.0.1', resolve))
  const address = upgrading.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const { trace, output } = await recordBeside(
    () =>
      new Promise<string>((resolve, reject) => {
        const request = http.request({ host: '127.0.0.1', port, headers: { connection: 'upgrade', upgrade: 'echo' } })
        request.on('error', reject).end()
        request.on('upgrade', (_response, socket, head) => {
          let text = head.toString()
          socket.on('data', (piece: Buffer) => (text += piece.toString())).on('end', () => (socket.destroy(), resolve(text)))
        })
      }),
  )
  upgrading.close()
  expect(output).toBe('hello')
  expect(trace.steps).toMatchObject([{ output: { status: 101 } }])
})
