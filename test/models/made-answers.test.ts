import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import type { AnswerSpec, ModelResponse } from '../../src/models/dialect.ts'
import { dialectNamed } from '../../src/models/dialects.ts'
import { recogniseDialect } from '../../src/models/recognise-dialect.ts'
import { recordRun } from '../support/record-run.ts'
import { createAgents, type Settings } from './sdk-agents.ts'

const TEXT = 'It is packed. Grüße! "👋"\n'
const CALL: AnswerSpec = { reasoning: 'Which order?', toolCalls: [{ name: 'get_order', args: { id: 'ord_1' } }] }

/** Answers what no provider sent: a tool call until there is a result, then a text. */
const provider = await listen(async (incoming, response) => {
  const body = (await readBody(incoming)).toString()
  const url = `http://${incoming.headers.host}${incoming.url}`
  const dialect = dialectNamed(recogniseDialect('POST', url) ?? '')
  const isDone = /functionResponse|toolResult|tool_result|"role":"tool"/.test(body)
  const made = dialect?.respond(isDone ? TEXT : CALL, JSON.parse(body), url)
  if (made === undefined) throw new Error(`not a model call: ${url}`)
  response.writeHead(made.status, Object.fromEntries(made.headers)).end(made.body)
})
afterAll(() => provider.close())

const agents = createAgents(provider.url).map(([name, agent, model, dialect]) => {
  const settings: Settings = { model, system: 'You help.', description: 'Looks an order up.', temperature: 0.2 }
  return { name, agent, dialect, settings }
})

it.each(agents)('answers as the SDK of $name reads it', async ({ agent, settings }) => {
  const { output, trace } = await recordRun(() => agent(settings))
  expect(output).toBe(TEXT)
  expect(trace.steps[1]).toMatchObject({ name: 'get_order', input: { id: 'ord_1' }, output: { id: 'ord_1', status: 'packed' } })
})

const addresses: readonly (readonly [dialect: string, path: string, body: object])[] = [
  ['gemini.content', '/v1beta/models/m:generateContent', {}],
  ['gemini.content', '/v1beta/models/m:streamGenerateContent?alt=sse', {}],
  ['gemini.content', '/v1beta/models/m:streamGenerateContent', {}],
  ['bedrock.converse', '/model/m/converse', {}],
  ['bedrock.converse', '/model/m/converse-stream', {}],
  ['bedrock.invoke', '/model/anthropic.m/invoke', { anthropic_version: 'bedrock-2023-05-31' }],
  ['bedrock.invoke', '/model/anthropic.m/invoke-with-response-stream', { anthropic_version: 'bedrock-2023-05-31' }],
  ['bedrock.invoke', '/model/amazon.nova-m/invoke', { schemaVersion: 'messages-v1' }],
  ['bedrock.invoke', '/model/amazon.nova-m/invoke-with-response-stream', { schemaVersion: 'messages-v1' }],
  ['bedrock.invoke', '/model/mistral.m/invoke', { messages: [{ role: 'user', content: 'hi' }] }],
  ['bedrock.invoke', '/model/mistral.m/invoke-with-response-stream', { messages: [{ role: 'user', content: 'hi' }] }],
  ['cohere.chat', '/v2/chat', { model: 'm' }],
  ['cohere.chat', '/v2/chat', { model: 'm', stream: true }],
  ['ollama.chat', '/api/chat', { model: 'm' }],
  ['ollama.chat', '/api/chat', { model: 'm', stream: false }],
]

it.each(addresses)('reads its own answers as they were meant: %s at %s with %j', (name, path, body) => {
  const url = `http://127.0.0.1:1${path}`
  expect(recogniseDialect('POST', url)).toBe(name)
  const dialect = dialectNamed(name)
  const answers = [
    { text: TEXT, toolCalls: [], reasoning: '' },
    { text: '', toolCalls: [], reasoning: '' },
    {
      text: 'Let me look.',
      toolCalls: [
        { name: 'f', args: { a: 'ü' } },
        { name: 'g', args: {} },
      ],
      reasoning: 'Which one?',
    },
    { text: 'So.', toolCalls: [], reasoning: 'Because.' },
  ]
  for (const answer of answers) {
    const make = (): ModelResponse | undefined => dialect?.respond(answer, body, url)
    const made = make()
    if (made === undefined) throw new Error('no dialect')
    expect(make()).toEqual(made)
    const given = typeof made.body === 'string' ? { text: made.body } : { bytes: made.body }
    const read = dialect?.answer(given, made.headers[0]?.[1])
    expect(read).toMatchObject({ text: answer.text, stopReason: answer.toolCalls.length > 0 ? 'tool-calls' : 'end' })
    expect(read?.reasoning ?? '').toBe(answer.reasoning)
    expect(read?.toolCalls.map(({ name: called, args }) => ({ name: called, args }))).toEqual(answer.toolCalls)
    expect(new Set(read?.toolCalls.map(({ id }) => id)).size).toBe(answer.toolCalls.length)
    expect(read?.error).toBe(undefined)
  }
})
