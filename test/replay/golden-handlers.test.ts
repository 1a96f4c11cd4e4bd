import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import OpenAI from 'openai'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterEach, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { startProvider } from '../../examples/world/provider.ts'
import { goldenHandlers } from '../../src/msw.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { httpRequest } from '../support/http-request.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'
import { toGoldenTrace } from '../support/replay-clean.ts'

const servers: { close(): void }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A recorded run, the address that its provider had, and what the agent got. */
interface Recorded {
  readonly trace: Trace
  readonly baseURL: string
  readonly texts: readonly string[]
}

async function ask(baseURL: string, question: string): Promise<string> {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL, maxRetries: 0 })
  const answer = await client.chat.completions.create({ model: 'gpt-4.1-mini', messages: [{ role: 'user', content: question }] })
  return answer.choices[0]?.message.content ?? ''
}

async function askStreaming(baseURL: string, question: string): Promise<string[]> {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL, maxRetries: 0 })
  const pieces: string[] = []
  const messages = [{ role: 'user', content: question } as const]
  for await (const chunk of await client.chat.completions.create({ model: 'gpt-4.1-mini', messages, stream: true })) {
    const piece = chunk.choices[0]?.delta.content
    if (piece) pieces.push(piece)
  }
  return pieces
}

async function record(): Promise<Recorded> {
  const provider = await startProvider({ script: [{ text: 'It was shipped on Monday.', chunks: 4 }] })
  const baseURL = provider.openaiBaseUrl
  const { trace, output } = await recordRun(async () => [
    await ask(baseURL, 'Where is ord_1?'),
    ...(await askStreaming(baseURL, 'And now?')),
  ])
  await provider.close()
  // The connection that was kept alive is gone too: MSW answers on new ones only.
  await expect(fetch(baseURL)).rejects.toThrow('fetch failed')
  return { trace, baseURL, texts: output }
}

function serve(...handlers: Parameters<typeof setupServer>): void {
  const server = setupServer(...handlers)
  server.listen({ onUnhandledFrame: 'error' })
  servers.push(server)
}

it("serves a trace's model calls, whole and streamed, to a server of the user's own", async () => {
  const { trace, baseURL, texts } = await record()
  serve(...goldenHandlers(trace))
  const [whole, ...pieces] = texts
  expect(await ask(baseURL, 'Where is ord_1?')).toBe(whole)
  expect(await askStreaming(baseURL, 'And now?')).toEqual(pieces)
  expect(pieces).toHaveLength(4)
})

it('leaves a request that the trace does not have to the handlers behind', async () => {
  const { trace, baseURL } = await record()
  serve(
    ...goldenHandlers(trace),
    http.get('http://orders.test/ord_1', () => HttpResponse.json({ status: 'lost' })),
  )
  expect(await (await fetch('http://orders.test/ord_1')).json()).toEqual({ status: 'lost' })
  await expect(ask(baseURL, 'Where is ord_2?')).rejects.toThrow('Connection error')
})

it('serves each recorded answer once, and all of them again after a reset', async () => {
  const { trace, baseURL } = await record()
  const handlers = goldenHandlers(trace)
  const server = setupServer(...handlers)
  server.listen({ onUnhandledFrame: 'error' })
  servers.push(server)
  expect(await ask(baseURL, 'Where is ord_1?')).toBe('It was shipped on Monday.')
  await expect(ask(baseURL, 'Where is ord_1?')).rejects.toThrow('Connection error')
  server.resetHandlers()
  for (const handler of handlers) handler.reset()
  expect(await ask(baseURL, 'Where is ord_1?')).toBe('It was shipped on Monday.')
})

it.each(['gzip', 'br', 'deflate', 'zstd'])(
  'serves in %s what came in it, to a fetch and to a client that decodes by itself',
  async (coding) => {
    const encode = { gzip: zlib.gzipSync, br: zlib.brotliCompressSync, deflate: zlib.deflateSync, zstd: zlib.zstdCompressSync }[coding]
    const decode = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync, deflate: zlib.inflateSync, zstd: zlib.zstdDecompressSync }[
      coding
    ]
    const origin = await listen(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': coding }).end(encode?.('packed'))
    })
    const agent = async (): Promise<unknown[]> => {
      const { headers, body } = await httpRequest(`${origin.url}/a`)
      return [headers['content-encoding'], decode?.(body).toString()]
    }
    const { trace, output } = await recordRun(agent)
    await origin.close()
    expect(output).toEqual([coding, 'packed'])
    const handlers = goldenHandlers(trace)
    serve(...handlers)
    expect(await agent()).toEqual(output)
    for (const handler of handlers) handler.reset()
    expect(await (await fetch(`${origin.url}/a`)).text()).toBe('packed')
  },
)

it('serves the body of a step that came in pieces in those pieces, though it is kept whole', async () => {
  const origin = await listen(async (_request, response) => {
    response.setHeader('content-type', 'application/json')
    for (const piece of ['{"a":', '1', '}']) {
      response.write(piece)
      await sleep(10)
    }
    response.end()
  })
  const agent = async (): Promise<string[]> => {
    const pieces: string[] = []
    for await (const piece of (await fetch(`${origin.url}/a`)).body ?? []) pieces.push(new TextDecoder().decode(piece))
    return pieces
  }
  const { trace, output } = await recordRun(agent)
  await origin.close()
  // As above.
  await expect(fetch(origin.url)).rejects.toThrow('fetch failed')
  expect(output).toEqual(['{"a":', '1', '}'])
  const golden = toGoldenTrace(trace)
  expect(rowsOf(golden, 'chunk').map(({ length }) => length)).toEqual([5, 1, 1])
  serve(...goldenHandlers(golden))
  expect(await agent()).toEqual(output)
})
