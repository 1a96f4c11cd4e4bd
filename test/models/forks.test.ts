import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { fork } from '../../src/travel/fork.ts'
import { recordRun } from '../support/record-run.ts'

const provider = await startProvider({ script: () => ({ text: 'Recorded.' }) })
afterAll(() => provider.close())

const openai = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl, maxRetries: 0 })
const anthropic = new Anthropic({ apiKey: 'test', baseURL: provider.anthropicBaseUrl, maxRetries: 0 })

async function askChat(content: string): Promise<string> {
  const { choices } = await openai.chat.completions.create({ model: 'gpt-4.1', messages: [{ role: 'user', content }] })
  return choices[0]?.message.content ?? ''
}

async function streamChat(content: string): Promise<string> {
  let text = ''
  for await (const { choices } of await openai.chat.completions.create({
    model: 'gpt-4.1',
    messages: [{ role: 'user', content }],
    stream: true,
  }))
    text += choices[0]?.delta.content ?? ''
  return text
}

async function askResponses(input: string): Promise<string> {
  return (await openai.responses.create({ model: 'gpt-4.1', input })).output_text
}

async function streamResponses(input: string): Promise<string> {
  let text = ''
  for await (const event of await openai.responses.create({ model: 'gpt-4.1', input, stream: true }))
    if (event.type === 'response.output_text.delta') text += event.delta
  return text
}

async function askMessages(content: string): Promise<string> {
  const message = await anthropic.messages.create({ model: 'claude-sonnet-4-6', max_tokens: 9, messages: [{ role: 'user', content }] })
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

async function streamMessages(content: string): Promise<string> {
  const stream = anthropic.messages.stream({ model: 'claude-sonnet-4-6', max_tokens: 9, messages: [{ role: 'user', content }] })
  return await stream.finalText()
}

it.each([
  ['OpenAI chat completions', 'openai.chat', askChat],
  ['OpenAI chat completions, streamed', 'openai.chat', streamChat],
  ['OpenAI responses', 'openai.responses', askResponses],
  ['OpenAI responses, streamed', 'openai.responses', streamResponses],
  ['Anthropic messages', 'anthropic.messages', askMessages],
  ['Anthropic messages, streamed', 'anthropic.messages', streamMessages],
])('tells what a call of %s was answered from the answers of a fork', async (_, dialect, ask) => {
  const agent = async (last: string): Promise<string[]> => [await ask('First?'), await ask(last)]
  const { trace } = await recordRun(agent, { input: 'Second?' })
  const run = await fork(trace, agent, { input: 'Third?', answers: { [dialect]: 'Forked. Grüße!' } })
  expect(run.outcome).toEqual({ status: 'returned', output: ['Recorded.', 'Forked. Grüße!'] })
  expect(run.modelCalls.map(({ answer }) => answer)).toMatchObject([
    { text: 'Recorded.', toolCalls: [], stopReason: 'end' },
    { text: 'Forked. Grüße!', toolCalls: [], stopReason: 'end' },
  ])
  for (const { answer } of run.modelCalls) expect(answer?.error).toBe(undefined)
})
