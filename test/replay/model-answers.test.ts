import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { fork, replay } from '../../src/replay.ts'
import { tool } from '../../src/index.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'

const look = tool('look', { effect: 'read' }, async (id: string) => id)
const url = 'http://127.0.0.1:4010'

/** A recording in which no model is called. */
async function recordNoModel(): Promise<Trace> {
  return (await recordRun(() => look('a'))).trace
}

async function askOpenAI(): Promise<unknown> {
  await look('a')
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 })
  const { choices } = await client.chat.completions.create({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello?' }] })
  return choices[0]?.message.content
}

async function streamOpenAI(): Promise<unknown> {
  await look('a')
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 })
  const stream = await client.chat.completions.create({
    model: 'gpt-4.1',
    messages: [{ role: 'user', content: 'Hello?' }],
    stream: true,
  })
  const pieces: string[] = []
  for await (const { choices } of stream) pieces.push(choices[0]?.delta.content ?? '')
  return pieces.join('')
}

async function askAnthropic(): Promise<unknown> {
  await look('a')
  const client = new Anthropic({ apiKey: 'sk-test', baseURL: url, maxRetries: 0 })
  const { content } = await client.messages.create({
    model: 'claude-sonnet-4-5',
    max_tokens: 99,
    messages: [{ role: 'user', content: 'Hello?' }],
  })
  return content[0]?.type === 'text' ? content[0].text : undefined
}

const completion = {
  id: 'chatcmpl-1',
  model: 'gpt-4.1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi!' }, finish_reason: 'stop' }],
}
const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hi!' }], stop_reason: 'end_turn' }

it.each<[string, () => unknown, Record<string, unknown>]>([
  ['a text', askOpenAI, { 'openai.chat': 'Hi!' }],
  ['parts', askOpenAI, { 'openai.chat': { text: 'Hi!' } }],
  ['a Response', askOpenAI, { 'openai.chat': () => Response.json(completion) }],
  [
    'a Response for every call',
    async () => [await askOpenAI(), await askOpenAI()][1],
    { look: 'a', 'openai.chat': Response.json(completion) },
  ],
  ["the provider's own JSON", askOpenAI, { 'openai.chat': completion }],
  ["the provider's own JSON, by a function", askAnthropic, { 'anthropic.messages': async () => message }],
  ["the provider's own JSON, to a request for a stream", streamOpenAI, { 'openai.chat': completion }],
  ['an answer with its status', askOpenAI, { 'openai.chat': { status: 200, json: completion } }],
])('answers a model call by %s', async (_what, agent, answers) => {
  const run = await fork(await recordNoModel(), agent, { answers })
  expect(run.outcome).toEqual({ status: 'returned', output: 'Hi!' })
})

it('answers a model call by an error with its status', async () => {
  const run = await fork(await recordNoModel(), askOpenAI, {
    answers: { 'openai.chat': { status: 429, json: { error: { message: 'Slow down.' } } } },
  })
  expect(run.outcome).toMatchObject({ status: 'threw', error: { status: 429, message: '429 Slow down.' } })
})

const takes =
  'It takes a text, { text, toolCalls: [{ name, args }], reasoning }, the JSON that the provider would answer with, { status, headers, json }, a Response, an Error, or a function that returns one of them.'

it.each<[string, unknown, string]>([
  ['a number', 42, '42'],
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
  ['a list', ['Hi!'], '["Hi!"]'],
  ['a number, by a function', () => 42, '42'],
  ['JSON that is of no provider', { answer: 'Hi!' }, '{"answer":"Hi!"}'],
  ["another provider's JSON", message, '{"id":"msg_1"'],
  ['an error without its status', { error: { message: 'Slow down.' } }, '{"error":{"message":"Slow down."}}'],
])('refuses %s as the answer of a model', async (_what, answer, got) => {
  const trace = await recordNoModel()
  const given = { answers: { 'openai.chat': answer } }
  await expect(fork(trace, askOpenAI, given)).rejects.toThrow(`fork: the option "answers" cannot answer openai.chat with ${got}`)
  await expect(fork(trace, askOpenAI, given)).rejects.toThrow(takes)
  await expect(replay(trace, askOpenAI, given)).rejects.toThrow('replay: the option "answers"')
  expect((await replay(trace, () => look('a'), given)).divergences).toEqual([])
})
