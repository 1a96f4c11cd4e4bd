import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { request as dispatch } from 'undici'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

/** Answers as soon as it has the body; never, at `/silent`; with the head before the body, at `/early`. */
const server = await listen(async (request, response) => {
  if (request.url === '/silent') return
  if (request.url === '/early') response.writeHead(200).flushHeaders()
  response.end(`got ${await text(request)}`)
})
afterAll(() => server.close())

const bodies: readonly (readonly [name: string, body: (text: string) => unknown])[] = [
  ['a Blob', (sent) => new Blob([sent])],
  ['a stream', (sent) => new Blob([sent]).stream()],
  ['an iterable', (sent) => pieces(sent)],
]

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of texts) {
    await Promise.resolve()
    yield Buffer.from(piece)
  }
}

function streamOf(source: AsyncGenerator<Uint8Array>): ReadableStream {
  return Readable.toWeb(Readable.from(source)) as never
}

function post(path: string, body: unknown, init: object = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, { method: 'POST', body, duplex: 'half', ...init } as RequestInit)
}

it.each(bodies)('compares the whole body of %s that is answered at once', async (_name, body) => {
  const agent = async (sent: string): Promise<void> => {
    for (let number = 0; number < 8; number += 1) await (await post('/now', body(`${sent} ${number}`))).text()
  }
  const { trace } = await recordRun(() => agent('hello'))
  expect(rowsOf(trace, 'call').map(({ input }) => (input as { text?: string }).text)).toEqual(
    Array.from({ length: 8 }, (_, number) => `hello ${number}`),
  )
  await expectClean(trace, () => agent('hello'))
  const run = await replay(trace, () => agent('hello you'))
  expect(run.divergences[0]).toMatchObject({ cause: 'input', step: 1, parts: ['body'] })
})

it.each(bodies)('compares the body of a Request with %s', async (_name, body) => {
  const agent = async (sent: string): Promise<void> => {
    const init = { method: 'POST', body: body(sent), duplex: 'half' }
    for (let number = 0; number < 4; number += 1)
      await (await fetch(new Request(server.url, { ...init, body: body(sent) } as never))).text()
  }
  const { trace } = await recordRun(() => agent('hello'))
  await expectClean(trace, () => agent('hello'))
  expect((await replay(trace, () => agent('hallo'))).divergences[0]).toMatchObject({ cause: 'input', step: 1, parts: ['body'] })
})

it('keeps a body whose length is known before its end', async () => {
  const agent = async (sent: string): Promise<string> => {
    const answered = Promise.withResolvers<void>()
    async function* body(): AsyncGenerator<Buffer> {
      yield Buffer.from(sent)
      await answered.promise
    }
    const headers = { 'content-length': String(sent.length) }
    const answer = await dispatch(`${server.url}/now`, { method: 'POST', headers, body: body() as never })
    answered.resolve()
    return await answer.body.text()
  }
  const { trace, output } = await recordRun(() => agent('hello'))
  expect(output).toBe('got hello')
  await expectClean(trace, () => agent('hello'))
  expect((await replay(trace, () => agent('hallo'))).divergences[0]).toMatchObject({ cause: 'input', step: 1, parts: ['body'] })
})

const look = tool('look', {}, async (id: string) => Promise.resolve(id))

it('keeps what was sent of a body before the call was given up', async () => {
  const agent = async (...texts: readonly string[]): Promise<unknown> => {
    const controller = new AbortController()
    async function* body(): AsyncGenerator<Buffer> {
      for (const piece of texts) yield Buffer.from(piece)
      controller.abort()
      await new Promise(() => undefined)
    }
    const { signal } = controller
    const given = dispatch(`${server.url}/silent`, { method: 'POST', body: body() as never, signal })
    return [
      await given.then(
        () => 'answered',
        (error: Error) => error.name,
      ),
      await look('ord_1'),
    ]
  }
  const { trace, output } = await recordRun(() => agent('one ', 'two'))
  expect(output).toEqual(['AbortError', 'ord_1'])
  expect(rowsOf(trace, 'call')[0]).toMatchObject({ cut: 7, input: { text: 'one two' } })
  await expectClean(trace, () => agent('one ', 'two'))
  expect((await replay(trace, () => agent('one ', 'too'))).divergences[0]).toMatchObject({ cause: 'input', step: 1, parts: ['body'] })
})

it.each(bodies)('does not ask for the body of %s that was never sent, and for those that were', async (_name, body) => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as { port: number }
  await new Promise((resolve) => closed.close(resolve))
  const agent = async (sent: string): Promise<unknown> => {
    const failed = fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: body('hello'), duplex: 'half' } as RequestInit)
    const outcome = await failed.catch((error: Error) => error.message)
    return [outcome, await (await post('/now', body(sent))).text()]
  }
  const { trace, output } = await recordRun(() => agent('hello'))
  expect(output).toEqual(['fetch failed', 'got hello'])
  await expectClean(trace, () => agent('hello'))
  expect((await replay(trace, () => agent('hallo'))).divergences[0]).toMatchObject({ cause: 'input', step: 2, parts: ['body'] })
})

it('makes what a fetch sends after its answer has begun a step', async () => {
  const agent = async (rest: string): Promise<string> => {
    const answered = Promise.withResolvers<void>()
    async function* body(): AsyncGenerator<Buffer> {
      yield Buffer.from('one ')
      await answered.promise
      yield Buffer.from(rest)
    }
    const response = await post('/early', streamOf(body()))
    answered.resolve()
    return await response.text()
  }
  const { trace, output } = await recordRun(() => agent('two'))
  expect(output).toBe('got one two')
  await expectClean(trace, () => agent('two'))
  expect((await replay(trace, () => agent('too'))).divergences[0]).toMatchObject({
    cause: 'input',
    name: expect.stringMatching(/early send$/),
  })
})
