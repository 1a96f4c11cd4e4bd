import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { splitText } from '../../examples/world/split-text.ts'

const MESSAGES = [{ role: 'user' as const, content: 'Hello?' }]

function connect(baseURL: string, maxRetries = 0): OpenAI {
  return new OpenAI({ apiKey: 'sk-test', baseURL, maxRetries })
}

it('answers failures before the turn they stand in front of, and the SDK retries through them', async () => {
  const failure = { status: 429, headers: { 'retry-after-ms': '1' } }
  await using provider = await startProvider({ script: [failure, { ...failure, status: 500 }, { text: 'Hello.' }, { text: 'Again.' }] })
  const client = connect(provider.openaiBaseUrl, 2)
  const completion = await client.chat.completions.create({ model: 'gpt-4.1', messages: MESSAGES })
  expect(completion.choices[0]?.message.content).toBe('Hello.')
  expect(provider.exchanges.map((exchange) => exchange.status)).toEqual([429, 500, 200])
  expect(provider.exchanges.map((exchange) => exchange.headers['x-stainless-retry-count'])).toEqual(['0', '1', '2'])
})

it('answers the failures again to the next conversation', async () => {
  await using provider = await startProvider({ script: [{ status: 503 }, { text: 'Hello.' }] })
  const client = connect(provider.openaiBaseUrl)
  const ask = (): Promise<unknown> => client.chat.completions.create({ model: 'gpt-4.1', messages: MESSAGES }).catch(() => 'failed')
  expect([await ask(), typeof (await ask()), await ask(), typeof (await ask())]).toEqual(['failed', 'object', 'failed', 'object'])
})

it('words errors as OpenAI does, so that the SDK throws their class', async () => {
  await using provider = await startProvider({ script: [{ status: 401 }] })
  const error: unknown = await connect(provider.openaiBaseUrl)
    .chat.completions.create({ model: 'gpt-4.1', messages: MESSAGES })
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
  expect(error).toMatchObject({ code: 'invalid_api_key', type: 'invalid_request_error', message: '401 Incorrect API key provided.' })
})

it('destroys the connection before it answers', async () => {
  await using provider = await startProvider({ script: [{ cut: 'before-head' }] })
  const error: unknown = await connect(provider.openaiBaseUrl)
    .chat.completions.create({ model: 'gpt-4.1', messages: MESSAGES })
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(OpenAI.APIConnectionError)
  expect(provider.exchanges[0]?.status).toBeUndefined()
})

it('destroys the connection in the middle of a stream', async () => {
  await using provider = await startProvider({ script: [{ text: 'abcdefgh', chunks: 8, cut: 'mid-stream' }] })
  const stream = await connect(provider.openaiBaseUrl).chat.completions.create({ model: 'gpt-4.1', messages: MESSAGES, stream: true })
  let text = ''
  const reading = (async () => {
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
  })()
  await expect(reading).rejects.toThrow('terminated')
  // Of eleven events (the role, eight letters, the finish reason, [DONE]) six are sent; the reader may lose the last with the connection.
  expect(provider.exchanges[0]?.sent).toHaveLength(6)
  expect('abcde').toContain(text)
})

it('destroys the connection in the middle of a JSON body', async () => {
  await using provider = await startProvider({ script: [{ text: 'Hello.', cut: 'mid-stream' }] })
  const asked = connect(provider.openaiBaseUrl).chat.completions.create({ model: 'gpt-4.1', messages: MESSAGES })
  await expect(asked).rejects.toThrow('terminated')
  expect(provider.exchanges[0]?.status).toBe(200)
})

it('answers many conversations at once, each from the start of the list', async () => {
  await using provider = await startProvider({
    script: (request) => ({ text: `${request.messages[0]?.text} ${request.turn}`, delayMs: 5, chunkDelayMs: 1 }),
  })
  const client = connect(provider.openaiBaseUrl)
  async function converse(name: string): Promise<string[]> {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: name }]
    for (let turn = 0; turn < 3; turn += 1) {
      const stream = client.chat.completions.stream({ model: 'gpt-4.1', messages })
      messages.push(await stream.finalMessage(), { role: 'user', content: 'Go on.' })
    }
    return messages.flatMap(({ role, content }) => (role === 'assistant' && typeof content === 'string' ? [content] : []))
  }
  const names = Array.from({ length: 16 }, (_, index) => `run-${index}`)
  const said = await Promise.all(names.map(converse))
  expect(said).toEqual(names.map((name) => [`${name} 0`, `${name} 1`, `${name} 2`]))
})

it('splits a stream into the deltas that the script asks for', async () => {
  await using provider = await startProvider({ script: [{ text: 'abcdefghij', chunks: 3 }] })
  const stream = await connect(provider.openaiBaseUrl).chat.completions.create({ model: 'gpt-4.1', messages: MESSAGES, stream: true })
  const deltas: string[] = []
  for await (const chunk of stream) deltas.push(chunk.choices[0]?.delta.content ?? '')
  expect(deltas.filter((delta) => delta !== '')).toEqual(['abc', 'def', 'ghij'])
})

it('splits no character in two', () => {
  expect(splitText('🌦🌧', 4)).toEqual(['🌦', '🌧'])
  expect(splitText('', 4)).toEqual([])
})

it('says where a list of turns is at its end', async () => {
  await using provider = await startProvider({ script: [{ text: 'Hello.' }] })
  const asked = connect(provider.openaiBaseUrl).chat.completions.create({
    model: 'gpt-4.1',
    messages: [...MESSAGES, { role: 'assistant', content: 'Hello.' }, { role: 'user', content: 'And?' }],
  })
  await expect(asked).rejects.toThrow('400 The script answers 1 turns, this is turn 2.')
})

it('keeps what it received and sent, byte for byte', async () => {
  await using provider = await startProvider({ script: [{ text: 'Hello.' }] })
  const body = '{"model": "gpt-4.1",  "messages":[{"role":"user","content":"Hi"}]}'
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-test' }
  const response = await fetch(`${provider.openaiBaseUrl}/chat/completions?api-version=1`, { method: 'POST', headers, body })
  const [exchange] = provider.exchanges
  expect(exchange).toMatchObject({ ordinal: 1, method: 'POST', path: '/v1/chat/completions?api-version=1', status: 200 })
  expect(exchange?.headers.authorization).toBe('Bearer sk-test')
  expect(exchange?.bytes.toString()).toBe(body)
  expect(exchange?.body).toEqual({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hi' }] })
  expect(Buffer.concat(exchange?.sent ?? []).toString()).toBe(await response.text())
})

it('refuses a request that is not a model call', async () => {
  await using provider = await startProvider({ script: [] })
  const unknown = await fetch(`${provider.url}/v1/embeddings`, { method: 'POST', body: '{}' })
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { message: 'Unknown request URL: POST /v1/embeddings.' } }])
  const broken = await fetch(`${provider.url}/v1/messages`, { method: 'POST', body: '{' })
  expect([broken.status, await broken.json()]).toMatchObject([400, { type: 'error', error: { type: 'invalid_request_error' } }])
})

it('ends streams that are under way when it is closed', async () => {
  const provider = await startProvider({ script: [{ text: 'Hello there.', chunkDelayMs: 60_000 }] })
  const stream = await connect(provider.openaiBaseUrl).chat.completions.create({ model: 'gpt-4.1', messages: MESSAGES, stream: true })
  const reading = (async () => {
    for await (const _ of stream);
  })()
  const [ended] = await Promise.allSettled([reading, provider.close()])
  expect(ended).toMatchObject({ status: 'rejected', reason: { message: 'terminated' } })
})
