import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import { it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { readBody } from '../../../examples/world/read-body.ts'
import { describeError } from '../../support/record-beside.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

// Before any door is opened, as a client that is made when its module loads.
const earlyFetch = globalThis.fetch

/** Records an agent against a server that answers anything, closes the server, and expects a clean replay. */
async function expectSame(agent: (url: string) => Promise<unknown>): Promise<void> {
  const server = await listen(async (request, response) => {
    const body = await readBody(request)
    switch (request.url) {
      case '/json':
        return void response.setHeader('content-type', 'application/json').end('{"id":"ord_1","n":1}')
      case '/pretty':
        return void response.setHeader('content-type', 'application/json').end('{\n  "id": "ord_1"\n}')
      case '/lines':
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const line of ['one', 'two', 'three', 'vier ä']) {
          response.write(`data: ${line}\n\n`)
          await sleep(3)
        }
        return void response.end()
      case '/slow-json':
        response.setHeader('content-type', 'application/json').write('{"a":[1,2')
        await sleep(5)
        response.write('],"b":"ä')
        await sleep(5)
        return void response.end('"}')
      case '/bytes':
        return void response.end(Buffer.from([0, 255, 254, 1]))
      case '/gzip':
        return void response.setHeader('content-encoding', 'gzip').end(zlib.gzipSync('{"packed":true}'))
      case '/empty':
        return void response.writeHead(204).end()
      case '/missing':
        return void response.writeHead(404).end('no such order')
      case '/moved':
        return void response.writeHead(302, { location: '/json' }).end()
      case '/loop':
        return void response.writeHead(302, { location: '/loop' }).end()
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
      case '/trailers':
        response.writeHead(200, { trailer: 'x-request-id' }).write('body')
        response.addTrailers({ 'x-request-id': 'req_1' })
        return void response.end()
      default:
        response.setHeader('x-request-id', 'req_7').setHeader('content-type', 'text/plain')
        return void response.end(`${request.method} ${request.url} ${request.headers['content-type'] ?? ''} ${body.toString('latin1')}`)
    }
  })
  const run = (): Promise<unknown> => agent(server.url)
  const { trace } = await recordRun(run, { fails: true })
  await server.close()
  await expectClean(trace, run)
}

// What a fetch refuses.
const withBody: RequestInit = Object.assign({ body: 'x' }, { method: 'GET' })

const caught = (promise: Promise<unknown>): Promise<unknown> => promise.then(() => 'no error', describeError)

it('says nothing of the type of an answer of which its sender did not', () =>
  expectSame(async (url) => {
    const answers: unknown[] = []
    for (const path of ['/missing', '/bytes', '/json']) {
      const answer = await fetch(`${url}${path}`)
      answers.push([answer.headers.get('content-type'), (await answer.clone().blob()).type, await answer.text()])
    }
    return answers
  }))

it('answers JSON, whole and in pieces, pretty and not', () =>
  expectSame(async (url) => {
    const [compact, pretty, slow] = [await fetch(`${url}/json`), await fetch(`${url}/pretty`), await fetch(`${url}/slow-json`)]
    return [await compact.json(), await pretty.text(), await slow.json()]
  }))

it('answers bytes, and what was compressed', () =>
  expectSame(async (url) => [
    new Uint8Array(await (await fetch(`${url}/bytes`)).arrayBuffer()),
    await (await fetch(`${url}/bytes`)).blob().then(({ size }) => size),
    await (await fetch(`${url}/gzip`)).json(),
  ]))

it('delivers a stream in the chunks that it came in', () =>
  expectSame(async (url) => {
    const pieces: string[] = []
    for await (const piece of (await fetch(`${url}/lines`)).body ?? []) pieces.push(Buffer.from(piece).toString())
    return pieces
  }))

it('gives the parts of an answer that agents look at', () =>
  expectSame(async (url) => {
    const answers = [
      await fetch(`${url}/missing`),
      await fetch(`${url}/any`),
      await fetch(`${url}/empty`),
      await fetch(`${url}/any`, { method: 'HEAD' }),
    ]
    const parts = answers.map(({ ok, status, statusText, body, headers, bodyUsed }) => [
      ok,
      status,
      statusText,
      body === null,
      headers.get('x-request-id'),
      bodyUsed,
    ])
    return [parts, await Promise.all(answers.map((answer) => answer.text())), answers.map((answer) => answer.url)]
  }))

it('lets an answer be cloned and be read in every way', () =>
  expectSame(async (url) => {
    const answer = await fetch(`${url}/json`)
    const copy = answer.clone()
    return [await answer.text(), await copy.json(), await caught(answer.text())]
  }))

it('gives responses, and clones of them, that say of themselves what those of a fetch say', () =>
  expectSame(async (url) => {
    const answer = await fetch(`${url}/moved`)
    const copy = answer.clone()
    const again = copy.clone()
    const said = [answer, copy, again].map((each) => [
      each.url,
      each.redirected,
      each.type,
      each.status,
      each.headers.get('content-type'),
      each instanceof Response,
      each.constructor === Response,
      Object.prototype.toString.call(each),
    ])
    return [said, await again.text(), await copy.text(), await answer.text(), (await fetch(`${url}/empty`)).clone().body]
  }))

it('follows redirects, in one step', () =>
  expectSame(async (url) => [
    await (await fetch(`${url}/moved`)).json(),
    (await fetch(`${url}/moved`, { redirect: 'manual' })).status,
    await caught(fetch(`${url}/moved`, { redirect: 'error' })),
    await caught(fetch(`${url}/loop`)),
  ]))

it('sends what was sent, in whatever form', () =>
  expectSame(async (url) => {
    const answers: string[] = []
    const send = async (init: RequestInit): Promise<void> =>
      void answers.push(await (await fetch(`${url}/echo`, { method: 'POST', ...init })).text())
    await send({ body: 'text' })
    await send({ body: '{"a":1}', headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' } })
    await send({
      body: '{"a":1}',
      headers: new Headers([
        ['idempotency-key', 'k'],
        ['content-type', 'application/json'],
      ]),
    })
    await send({ body: new Uint8Array([0, 255, 1]) })
    await send({ body: new URLSearchParams({ a: 'ä' }) })
    await send({ body: new Blob(['blob'], { type: 'text/csv' }) })
    await send({ body: '' })
    await send({ method: 'delete' })
    await send({ method: 'patch', body: 'lower' })
    return answers
  }))

it('takes addresses and requests in every form', () =>
  expectSame(async (url) => {
    const request = new Request(`${url}/echo`, { method: 'PUT', body: 'text', headers: { 'content-type': 'text/x' } })
    const answers = [
      await fetch(request),
      await fetch(new URL(`${url}/a b?q=ä#part`)),
      await fetch(`${url}//double`),
      await fetch(new Request(`${url}/r#part`)),
    ]
    return Promise.all(answers.map((answer) => answer.text()))
  }))

it('sends forms, and draws for them nothing from the trace', () =>
  expectSame(async (url) => {
    const form = new FormData()
    form.set('name', 'Ada')
    form.set('file', new File(['content'], 'a.txt', { type: 'text/plain' }))
    const before = Math.random()
    const { status } = await fetch(`${url}/echo`, { method: 'POST', body: form })
    return [before, status, Math.random(), crypto.randomUUID()]
  }))

it('sends streams that wait for nothing of the run', () =>
  expectSame(async (url) => {
    const body = new ReadableStream({
      async pull(controller) {
        await Promise.resolve()
        controller.enqueue(new TextEncoder().encode('streamed'))
        controller.close()
      },
    })
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
    return (await fetch(`${url}/echo`, init)).text()
  }))

it('fails as it failed: before the head, within the body', () =>
  expectSame(async (url) => [
    await caught(fetch(`${url}/reset`)),
    await caught(fetch(`${url}/reset-in-stream`).then((answer) => answer.text())),
    await caught(fetch('not a url')),
    await caught(fetch(`${url}/json`, withBody)),
    await caught(fetch('http://user:secret@127.0.0.1/')),
    await caught(fetch('gopher://127.0.0.1/')),
    await caught(fetch('http://127.0.0.1:6000/')),
    await (await fetch('data:text/plain,hello')).text(),
  ]))

it('is aborted as it was: before the call, before the head, within the body, with its reason', () =>
  expectSame(async (url) => {
    const stop = new AbortController()
    const reading = fetch(`${url}/endless`, { signal: stop.signal }).then(async (answer) => {
      const reader = answer.body?.getReader()
      const first = await reader?.read()
      stop.abort()
      return [first?.value?.length, await caught(Promise.resolve(reader?.read()))]
    })
    const reason = new AbortController()
    setTimeout(() => reason.abort('had enough'), 5)
    return [
      await caught(fetch(`${url}/json`, { signal: AbortSignal.abort() })),
      await caught(fetch(`${url}/hangs`, { signal: AbortSignal.timeout(10) })),
      await fetch(`${url}/hangs`, { signal: reason.signal }).catch((thrown: unknown) => thrown),
      await reading,
    ]
  }))

it('stops a stream where the agent stopped reading', () =>
  expectSame(async (url) => {
    const pieces: string[] = []
    for await (const piece of (await fetch(`${url}/lines`)).body ?? []) {
      pieces.push(Buffer.from(piece).toString())
      if (pieces.length === 2) break
    }
    const cancelled = await fetch(`${url}/endless`)
    await cancelled.body?.cancel()
    return [pieces, (await fetch(`${url}/json`)).status]
  }))

it('answers a fetch that was captured before any door was opened', () =>
  expectSame(async (url) => {
    const lines = await earlyFetch(`${url}/lines`)
    const pieces: string[] = []
    for await (const piece of lines.body ?? []) pieces.push(Buffer.from(piece).toString())
    return [
      pieces,
      await (await earlyFetch(`${url}/json`)).json(),
      await (await earlyFetch(`${url}/echo`, { method: 'POST', body: 'early' })).text(),
      await (await earlyFetch(`${url}/gzip`)).json(),
      await (await earlyFetch(`${url}/moved`)).json(),
      await earlyFetch(`${url}/missing`).then(({ status, statusText, url: from }) => [status, statusText, from]),
      await caught(earlyFetch(`${url}/reset`)),
      await caught(earlyFetch(`${url}/reset-in-stream`).then((answer) => answer.text())),
      await caught(earlyFetch(`${url}/hangs`, { signal: AbortSignal.timeout(10) })),
    ]
  }))

it('keeps trailers', () => expectSame(async (url) => (await fetch(`${url}/trailers`)).text()))
