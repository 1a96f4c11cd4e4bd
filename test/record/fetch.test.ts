import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import type { HttpInput, HttpOutput } from '../../src/trace/rows.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordBeside } from '../support/record-beside.ts'
import { kindsOf, rowsOf } from '../support/record-run.ts'

const order = { id: 'ord_1', status: 'packed' }

// What a fetch refuses.
const withBody: RequestInit = Object.assign({ body: 'x' }, { method: 'GET' })

const server = await listen(async (request, response) => {
  const body = await readBody(request)
  switch (request.url) {
    case '/order':
      return void response.setHeader('content-type', 'application/json').setHeader('set-cookie', 'session=1').end(JSON.stringify(order))
    case '/echo':
      return void response
        .setHeader('content-type', 'text/plain')
        .end(`${request.method} ${request.headers['content-type'] ?? 'none'} ${body.toString('latin1')}`)
    case '/lines':
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const line of ['one', 'two', 'three']) {
        response.write(`data: ${line}\n\n`)
        await sleep(5)
      }
      return void response.end()
    case '/empty':
      return void response.writeHead(204).end()
    case '/missing':
      return void response.writeHead(404, 'Not Here', { 'content-type': 'text/plain' }).end('no such order')
    default:
      return void response.writeHead(302, { location: `/${request.url?.split('/').at(-1)}` }).end('moved')
  }
})
afterAll(() => server.close())

it('records an answer in JSON', async () => {
  const { trace } = await recordBeside(async () => (await fetch(`${server.url}/order`)).json())
  expect(trace.steps).toMatchObject([
    {
      step: 1,
      owner: 0,
      boundary: 'http',
      name: new URL(server.url).host,
      input: { method: 'GET', url: `${server.url}/order`, headers: [] },
      output: { status: 200, json: order },
    },
  ])
  expect(kindsOf(trace)).toEqual(['call 1', 'head 1', 'chunk 1', 'return 1', 'end', 'closed'])
})

it('records the headers of an answer as they were received', async () => {
  const { trace } = await recordBeside(async () => (await fetch(`${server.url}/order`)).headers.get('set-cookie'))
  const [head] = rowsOf(trace, 'head')
  expect(head?.headers.map(([name]) => name)).toEqual(['content-type', 'set-cookie', 'Date', 'Connection', 'Content-Length'])
})

function inputOf(trace: Trace): HttpInput {
  const [step] = trace.steps
  return step?.input as HttpInput
}

it('records a stream chunk by chunk, each when it arrives', async () => {
  const { trace, output } = await recordBeside(async () => {
    const response = await fetch(`${server.url}/lines`)
    const pieces: string[] = []
    for await (const piece of response.body ?? []) pieces.push(new TextDecoder().decode(piece))
    return pieces
  })
  expect(output).toEqual(['data: one\n\n', 'data: two\n\n', 'data: three\n\n'])
  expect(rowsOf(trace, 'chunk').map(({ text }) => text)).toEqual(output)
  expect(trace.steps[0]?.output).toMatchObject({ status: 200, text: output.join('') })
})

it('records an answer without a body', async () => {
  const { trace, output } = await recordBeside(async () => {
    const [empty, head] = [await fetch(`${server.url}/empty`), await fetch(`${server.url}/order`, { method: 'HEAD' })]
    return [empty.status, empty.body, await empty.text(), head.status, head.body, await head.text()]
  })
  expect(output).toEqual([204, null, '', 200, null, ''])
  expect(kindsOf(trace)).toEqual(['call 1', 'head 1', 'return 1', 'call 2', 'head 2', 'return 2', 'end', 'closed'])
})

it('records an answer that says no', async () => {
  const { trace, output } = await recordBeside(async () => {
    const response = await fetch(`${server.url}/missing`)
    return [response.ok, response.status, response.statusText, await response.text()]
  })
  expect(output).toEqual([false, 404, 'Not Here', 'no such order'])
  expect(trace.steps[0]?.output).toMatchObject({ status: 404, text: 'no such order' })
})

it('makes one step of a call with its redirects', async () => {
  const { trace, output } = await recordBeside(async () => {
    const response = await fetch(`${server.url}/a/b/order`)
    return [response.redirected, response.url, await response.json()]
  })
  expect(output).toEqual([true, `${server.url}/order`, order])
  expect(trace.steps.map(({ input, output: answer }) => [(input as HttpInput).url, (answer as HttpOutput).status])).toEqual([
    [`${server.url}/a/b/order`, 200],
  ])
})

it('records a redirect that is not to be followed as the answer', async () => {
  const { trace, output } = await recordBeside(async () => {
    const response = await fetch(`${server.url}/a/order`, { redirect: 'manual' })
    return [response.status, response.headers.get('location'), await response.text()]
  })
  expect(output).toEqual([302, '/order', 'moved'])
  expect(trace.steps).toMatchObject([{ output: { status: 302, text: 'moved' } }])
})

it('records of a redirect that is not allowed what arrived', async () => {
  const { trace, error } = await recordBeside(() => fetch(`${server.url}/a/order`, { redirect: 'error' }))
  expect(error).toMatchObject({ name: 'TypeError', message: 'fetch failed', cause: { message: 'unexpected redirect' } })
  expect(rowsOf(trace, 'head').map(({ status }) => status)).toEqual([302])
})

it('records what is uploaded, in whatever form', async () => {
  const form = (): FormData => {
    const data = new FormData()
    data.set('name', 'Ada')
    data.set('file', new File(['content'], 'a.txt', { type: 'text/plain' }))
    return data
  }
  const stream = (): ReadableStream =>
    new ReadableStream({
      async pull(controller) {
        await setImmediate()
        controller.enqueue(new TextEncoder().encode('streamed'))
        controller.close()
      },
    })
  const uploads: (() => RequestInit)[] = [
    () => ({ body: 'text' }),
    () => ({ body: JSON.stringify(order), headers: { 'Content-Type': 'application/json' } }),
    () => ({ body: new Uint8Array([0, 255, 1]) }),
    () => ({ body: new Uint8Array([9, 255, 7, 6]).subarray(1, 3) }),
    () => ({ body: new TextEncoder().encode('buffer').buffer }),
    () => ({ body: new URLSearchParams({ a: 'ä' }) }),
    () => ({ body: new Blob(['blob'], { type: 'text/csv' }) }),
    () => ({ body: stream(), duplex: 'half' }) as RequestInit,
    () => ({ body: '' }),
    () => ({}),
  ]
  const { trace, output } = await recordBeside(async () => {
    const answers: string[] = []
    for (const upload of uploads) answers.push(await (await fetch(`${server.url}/echo`, { method: 'POST', ...upload() })).text())
    return answers
  })
  expect(output.at(0)).toBe('POST text/plain;charset=UTF-8 text')
  expect(trace.steps.map(({ input }) => bodyOf(input as HttpInput))).toEqual([
    ['text/plain;charset=UTF-8', 'text'],
    ['application/json', order],
    [undefined, new Uint8Array([0, 255, 1])],
    [undefined, new Uint8Array([255, 7])],
    [undefined, 'buffer'],
    ['application/x-www-form-urlencoded;charset=UTF-8', 'a=%C3%A4'],
    ['text/csv', 'blob'],
    [undefined, 'streamed'],
    ['text/plain;charset=UTF-8', undefined],
    [undefined, undefined],
  ])
  const { trace: uploaded } = await recordBeside(async () => (await fetch(`${server.url}/echo`, { method: 'POST', body: form() })).status)
  const [type, text] = bodyOf(uploaded.steps[0]?.input as HttpInput)
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(type ?? '')?.[1] ?? 'none'
  expect(String(text).replaceAll(boundary, '#')).toBe(
    [
      '--#\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n',
      '--#\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\ncontent\r\n',
      '--#--\r\n',
    ].join(''),
  )
})

function bodyOf({ headers, json, text, bytes }: HttpInput): [contentType: string | undefined, body: unknown] {
  return [headers.find(([name]) => name === 'content-type')?.[1], json ?? text ?? bytes]
}

it('takes a request object as it takes its parts', async () => {
  const { trace, output } = await recordBeside(async () => {
    const request = new Request(`${server.url}/echo`, { method: 'PUT', body: 'text', headers: { 'content-type': 'text/x' } })
    return (await fetch(request)).text()
  })
  expect(output).toBe('PUT text/x text')
  expect(trace.steps[0]?.input).toEqual({ method: 'PUT', url: `${server.url}/echo`, headers: [['content-type', 'text/x']], text: 'text' })
})

it('keeps the request headers that the caller set, without credentials and the client', async () => {
  const headers = {
    authorization: 'Bearer abcdefghijklmnopqrstuvwxyz',
    'x-api-key': 'secret',
    cookie: 'session=1',
    'Idempotency-Key': 'refund-1',
    'Anthropic-Version': '2023-06-01',
    'openai-beta': 'assistants=v2',
    'user-agent': 'agent/1.0',
  }
  const { trace } = await recordBeside(async () => (await fetch(`${server.url}/order`, { headers })).status)
  expect(inputOf(trace).headers).toEqual([
    ['authorization', 'Bearer [credential]'],
    ['x-api-key', '[credential]'],
    ['cookie', 'session=1'],
    ['idempotency-key', 'refund-1'],
    ['anthropic-version', '2023-06-01'],
    ['openai-beta', 'assistants=v2'],
  ])
})

it('makes no step of what never leaves the process', async () => {
  const { trace, output } = await recordBeside(async () => [
    await (await fetch('data:text/plain,hello')).text(),
    await fetch('not a url').catch((error: Error) => error.message),
    await fetch(`${server.url}/order`, { signal: AbortSignal.abort('before') }).catch((reason: unknown) => reason),
    await fetch(`${server.url}/order`, withBody).catch((error: Error) => error.message),
  ])
  expect(output).toEqual(['hello', 'Failed to parse URL from not a url', 'before', 'Request with GET/HEAD method cannot have body.'])
  expect(trace.steps).toEqual([])
})

it('keeps the parts of a URL that are sent', async () => {
  const { trace } = await recordBeside(async () => (await fetch(`${server.url}//double/order?q=a%20b&q=c#part`)).status)
  expect(inputOf(trace).url).toBe(`${server.url}//double/order?q=a%20b&q=c`)
})
