import type { ChangedAgent } from '../changed-agent.ts'
import { accept, answer, recordWithout } from './words.ts'

const ask = (system: string, user: string): string => `[{ role: 'system', content: '${system}' }, { role: 'user', content: ${user} }]`

/** Agents with real SDKs, and with pools of connections that their modules keep. */
export const clients: readonly ChangedAgent[] = [
  {
    name: 'pool-of-undici',
    code: `import { Pool } from 'undici'
const pool = new Pool(SHOP, { connections: 2 })
const read = async (path) => await (await pool.request({ path, method: 'GET' })).body.json()
export async function agent() {
  await read('/orders/a')
  return (await read('/orders/b')).path
}`,
    change: ["'/orders/b'", "'/orders/c'"],
    says: { 1: { headline: 'step 2 diverged (input: url).', at: "read('/orders/c')", advice: accept } },
  },
  {
    name: 'pool-of-node',
    code: `import http from 'node:http'
const pool = new http.Agent({ keepAlive: true, maxSockets: 1 })
const read = (path) => new Promise((resolve, reject) => {
  http.get(SHOP + path, { agent: pool }, (response) => response.setEncoding('utf8').on('data', resolve)).on('error', reject)
})
export async function agent() {
  await Promise.all([read('/orders/a'), read('/orders/b')])
  return await read('/orders/c')
}`,
    change: ["'/orders/c'", "'/orders/d'"],
    says: { 1: { headline: 'step 3 diverged (input: url).', at: "read('/orders/d')", advice: accept } },
  },
  {
    name: 'axios-of-a-module',
    code: `import axios from 'axios'
const shop = axios.create({ baseURL: SHOP })
export async function agent() {
  const { data } = await shop.post('/orders', { id: 'a' })
  return (await shop.post('/letters', { text: data.path })).data.path
}`,
    change: ['{ text: data.path }', '{ text: data.path, urgent: true }'],
    says: { 1: { headline: 'step 2 diverged (input: body).', at: "shop.post('/letters'", advice: accept } },
  },
  {
    name: 'got-with-a-call-more',
    code: `import got from 'got'
const shop = got.extend({ prefixUrl: SHOP, retry: { limit: 0 } })
export async function agent() {
  await shop.get('orders/a').json()
  return (await shop.get('orders/b').json()).path
}`,
    change: ["  return (await shop.get('orders/b')", "  await shop.get('orders/z').json()\n  return (await shop.get('orders/b')"],
    says: { 1: { headline: 'step 2 diverged (input: url).', at: "shop.get('orders/z')", advice: accept } },
  },
  {
    name: 'ky-with-a-retry',
    code: `import ky from 'ky'
const shop = ky.create({ retry: { limit: 1, delay: () => 1 } })
export async function agent() {
  await shop.get(SHOP + '/ky/fails-once').json()
  return (await shop.get(SHOP + '/orders/b').json()).path
}`,
    change: ["'/orders/b'", "'/orders/c'"],
    says: { 1: { headline: 'step 3 diverged (input: url).', at: "'/orders/c'", advice: accept } },
  },
  {
    name: 'openai-embeddings',
    code: `import OpenAI from 'openai'
const client = new OpenAI({ apiKey: 'sk-local', baseURL: MODEL + '/v1', maxRetries: 0 })
const ask = (content) => client.chat.completions.create({ model: 'gpt-4.1', messages: ${ask('Be brief.', 'content')} })
export async function agent() {
  const first = (await ask('one')).choices[0].message.content
  const second = (await ask('two ' + first)).choices[0].message.content
  return (await ask('three ' + second)).choices[0].message.content
}`,
    change: ["'two ' + first", "'two'"],
    says: { 1: { headline: 'step 2 diverged (input: messages).', at: "ask('two')", advice: accept } },
  },
  {
    name: 'openai-stream',
    code: `import OpenAI from 'openai'
const client = new OpenAI({ apiKey: 'sk-local', baseURL: MODEL + '/v1' })
export async function agent() {
  let text = ''
  const stream = await client.chat.completions.create({ model: 'gpt-4.1', stream: true, messages: ${ask('Be brief.', "'one'")} })
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
  const again = await client.chat.completions.create({ model: 'gpt-4.1', messages: ${ask('Be brief.', 'text')} })
  return again.choices[0].message.content
}`,
    change: [ask('Be brief.', 'text'), ask('Be brief.', 'text.slice(1)')],
    says: { 1: { headline: 'step 2 diverged (input: messages).', at: 'const again', advice: accept } },
  },
  {
    name: 'openai-responses',
    code: `import OpenAI from 'openai'
const client = new OpenAI({ apiKey: 'sk-local', baseURL: MODEL + '/v1' })
export async function agent() {
  const first = await client.responses.create({ model: 'gpt-4.1', instructions: 'Be brief.', input: 'one' })
  return (await client.responses.create({ model: 'gpt-4.1', instructions: 'Be brief.', input: first.output_text })).output_text
}`,
    change: ["instructions: 'Be brief.', input: first", "instructions: 'Be kind.', input: first"],
    says: { 1: { headline: 'step 2 diverged (input: system prompt).', at: "'Be kind.'", advice: accept } },
  },
  {
    name: 'anthropic-create',
    code: `import Anthropic from '@anthropic-ai/sdk'
const client = new Anthropic({ apiKey: 'sk-local', baseURL: MODEL })
const ask = (system, content) => client.messages.create({ model: 'claude-next', max_tokens: 100, system, messages: [{ role: 'user', content }] })
export async function agent() {
  const plan = await ask('You plan.', 'Tea.')
  const review = await ask('You review.', plan.content[0].text)
  return review.content[0].text
}`,
    change: ["'You review.'", "'You judge.'"],
    says: { 1: { headline: 'step 2 diverged (input: system prompt).', at: "ask('You judge.'", advice: accept } },
  },
  {
    name: 'anthropic-stream',
    code: `import Anthropic from '@anthropic-ai/sdk'
const client = new Anthropic({ apiKey: 'sk-local', baseURL: MODEL })
const ask = (content) => client.messages.stream({ model: 'claude-next', max_tokens: 100, messages: [{ role: 'user', content }] }).finalText()
export async function agent() {
  const first = await ask('one')
  const second = await ask(first + ' two')
  return second
}`,
    change: ["first + ' two'", "first + ' too'"],
    says: { 1: { headline: 'step 2 diverged (input: messages).', at: "first + ' too'", advice: accept } },
  },
  {
    name: 'anthropic-stream-skipped',
    code: `import Anthropic from '@anthropic-ai/sdk'
const client = new Anthropic({ apiKey: 'sk-local', baseURL: MODEL })
const ask = (content) => client.messages.stream({ model: 'claude-next', max_tokens: 100, messages: [{ role: 'user', content }] }).finalText()
export async function agent() {
  await ask('one')
  await post('/rows', { done: 1 })
  await ask('three')
}`,
    change: ["  await post('/rows', { done: 1 })\n", ''],
    says: { 1: { headline: 'step 2 diverged (missing call).', at: "ask('three')", advice: recordWithout } },
  },
  {
    name: 'ai-sdk-stream-text',
    code: `import { createOpenAI } from '@ai-sdk/openai'
import { streamText } from 'ai'
const openai = createOpenAI({ baseURL: MODEL + '/v1', apiKey: 'sk-local' })
export async function agent() {
  const first = await streamText({ model: openai.chat('gpt-4.1'), prompt: 'one' }).text
  return await streamText({ model: openai.chat('gpt-4.1'), prompt: 'two ' + first }).text
}`,
    change: ["'two ' + first", "'too ' + first"],
    says: { 1: { headline: 'step 2 diverged (input: messages).', at: "'too ' + first", advice: accept } },
  },
  {
    name: 'ai-sdk-tool-loop',
    code: `import { createOpenAI } from '@ai-sdk/openai'
import { tool as aiTool, ToolLoopAgent } from 'ai'
import { z } from 'zod'
const openai = createOpenAI({ baseURL: MODEL + '/v1', apiKey: 'sk-local' })
const order = aiTool({
  description: 'Looks an order up.', inputSchema: z.object({ id: z.string() }),
  execute: async ({ id }) => await get('/orders/' + id),
})
export async function agent() {
  const loop = new ToolLoopAgent({ model: openai.chat('gpt-4.1'), instructions: 'Help. [order {"id":"a"}]', tools: { order } })
  return (await loop.generate({ prompt: 'Where is it?' })).text
}`,
    change: ["get('/orders/' + id)", "get('/orders/' + id.toUpperCase())"],
    says: { 1: { headline: 'step 2 diverged (input: url).', at: "get('/orders/'", advice: accept } },
  },
  {
    name: 'langchain-model',
    code: `import { ChatOpenAI } from '@langchain/openai'
const model = new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'sk-local', configuration: { baseURL: MODEL + '/v1' } })
export async function agent() {
  const first = await model.invoke('one')
  const second = await model.invoke('two ' + first.content)
  return second.content
}`,
    change: ['  const second', "  await model.invoke('between')\n  const second"],
    says: { 1: { headline: 'step 2 diverged (input: messages).', at: "'between'", advice: accept } },
  },
  {
    name: 'call-at-the-end',
    code: `import OpenAI from 'openai'
const client = new OpenAI({ apiKey: 'sk-local', baseURL: MODEL + '/v1' })
const ask = (content) => client.chat.completions.create({ model: 'gpt-4.1', messages: ${ask('Be brief.', 'content')} })
export async function agent() {
  await ask('one')
  await ask('two')
}`,
    change: ["  await ask('two')\n", "  await ask('two')\n  await ask('three')\n"],
    says: { 1: { headline: 'the call after step 2 diverged (unexpected call).', at: "ask('three')", advice: answer } },
  },
]
