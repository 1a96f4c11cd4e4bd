import http, { type IncomingMessage } from 'node:http'
import zlib from 'node:zlib'
import OpenAI from 'openai'
import { request as undiciRequest } from 'undici'
import { expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { startOrigin } from '../../conformance/origin.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { describeError } from '../../support/record-beside.ts'
import { expectClean } from '../../support/replay-clean.ts'

/** Reads an answer's body piece by piece, through each kind of client. */
const readers: Readonly<Record<string, (url: string) => Promise<AsyncIterable<Uint8Array>>>> = {
  fetch: async (url) => (await fetch(url)).body ?? new ReadableStream(),
  'http.request': (url) => new Promise<IncomingMessage>((resolve, reject) => http.get(url, resolve).on('error', reject)),
  'undici.request': async (url) => (await undiciRequest(url)).body,
}

const streams: readonly (readonly [path: string, pieces: number, first: RegExp])[] = [
  ['sse', 4, /^data: \{"n":1\}\n\n$/],
  ['ndjson', 3, /^\{"n":1\}\n$/],
  ['aws-events', 2, /:event-type.*chunk\{"n":1\}/s],
  ['chunked', 3, /^one$/],
]
const trials = Object.entries(readers).flatMap(([name, read]) => streams.map(([path, ...rest]) => [path, name, read, ...rest] as const))

it.each(trials)('delivers a stream of %s through %s in the pieces that it came in', async (path, _name, read, count, first) => {
  const origin = await startOrigin()
  const agent = async (): Promise<string[]> => {
    const pieces: string[] = []
    for await (const piece of await read(`${origin.url}/${path}`)) pieces.push(Buffer.from(piece).toString('latin1'))
    return pieces
  }
  const { trace, output } = await recordRun(agent)
  await origin.close()
  expect([output.length, rowsOf(trace, 'chunk').length]).toEqual([count, count])
  expect(output[0]).toMatch(first)
  await expectClean(trace, agent)
})

it('fails as the SDK failed on an error that the provider sent within a stream', async () => {
  await using provider = await listen(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"choices":[{"index":0,"delta":{"content":"half an ans"}}]}\n\n')
    response.end('data: {"error":{"message":"The server is overloaded.","type":"server_error","code":"overloaded"}}\n\n')
  })
  const agent = async (): Promise<unknown> => {
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${provider.url}/v1`, maxRetries: 0 })
    const messages = [{ role: 'user', content: 'Hello' } as const]
    let text = ''
    try {
      for await (const chunk of await client.chat.completions.create({ model: 'gpt-4.1', messages, stream: true })) {
        text += chunk.choices[0]?.delta.content ?? ''
      }
    } catch (error) {
      return [text, error instanceof OpenAI.APIError, describeError(error)]
    }
    return text
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toMatchObject(['half an ans', true, { message: expect.stringContaining('overloaded') as string }])
  await expectClean(trace, agent)
})

it("understands a model's answer that came encoded to a client that decodes by itself", async () => {
  const answer = {
    model: 'gpt-4.1',
    choices: [{ message: { role: 'assistant', content: 'Hi.' } }],
    usage: { prompt_tokens: 12, completion_tokens: 3 },
  }
  await using provider = await listen(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(zlib.gzipSync(JSON.stringify(answer)))
  })
  const agent = async (): Promise<unknown> => {
    const body = JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello' }] })
    const headers = { 'content-type': 'application/json' }
    const { body: received } = await undiciRequest(`${provider.url}/v1/chat/completions`, { method: 'POST', headers, body })
    return JSON.parse(zlib.gunzipSync(await received.bytes()).toString())
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(answer)
  expect(trace.steps[0]).toMatchObject({ boundary: 'model', output: { json: answer } })
  expect((await expectClean(trace, agent)).usage).toMatchObject({ inputTokens: 12, outputTokens: 3 })
})
