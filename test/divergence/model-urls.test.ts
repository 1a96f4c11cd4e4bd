import { expect, it } from 'vitest'
import { canonicalInput } from '../../src/divergence/canonical-input.ts'
import { compareInputs } from '../../src/divergence/compare-inputs.ts'

type Case = readonly [what: string, name: string, recorded: string, live: string]

const call = (url: string, json: object = { messages: [] }, method = 'POST'): object => ({ method, url, headers: [], json })
const gemini = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash'
const bedrock = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-micro-v1%3A0'
const vertex =
  'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4@20250514'
const azure = 'https://x.openai.azure.com/openai/deployments/gpt-4.1/chat/completions'

it.each<Case>([
  ['a gateway with a prefix', 'openai.chat', 'https://api.openai.com/v1/chat/completions', 'https://gw.example/openai/v1/chat/completions'],
  ['a gateway for Anthropic', 'anthropic.messages', 'https://api.anthropic.com/v1/messages', 'https://gw.example/a/b/v1/messages/'],
  [
    "Google's other API",
    'gemini.content',
    `${gemini}:generateContent`,
    'https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/gemini-2.5-flash:generateContent',
  ],
  ['a model that is encoded otherwise', 'bedrock.converse', `${bedrock}/converse`, `${bedrock.replace('%3A', ':')}/converse`],
  ['another region of Vertex', 'anthropic.messages', `${vertex}:rawPredict`, `${vertex.replaceAll('us-east5', 'eu-west1')}:rawPredict`],
  ['another key in the query', 'gemini.content', `${gemini}:generateContent?key=one`, `${gemini}:generateContent?key=two`],
  ['a key in a header now', 'gemini.content', `${gemini}:streamGenerateContent?alt=sse&key=one`, `${gemini}:streamGenerateContent?alt=sse`],
  ['other credentials of a gateway', 'openai.chat', `${azure}?api-key=a&subscription-key=b`, `${azure}?api-key=c&access_token=d`],
  ['fields of a query in another order', 'openai.chat', `${azure}?api-version=1&a=2`, `${azure}?a=2&api-version=1`],
])('finds no difference in %s', (_, name, recorded, live) => {
  expect(compareInputs('model', name, call(recorded), call(live))).toEqual([])
  expect(canonicalInput('model', name, call(recorded))).toBe(canonicalInput('model', name, call(live)))
})

it.each<readonly [...Case, path: string, expected: unknown, received: unknown]>([
  [
    'a stream for an answer of Gemini',
    'gemini.content',
    `${gemini}:generateContent`,
    `${gemini}:streamGenerateContent`,
    'url',
    ':generateContent',
    ':streamGenerateContent',
  ],
  [
    'an answer for a stream of Converse',
    'bedrock.converse',
    `${bedrock}/converse-stream`,
    `${bedrock}/converse`,
    'url',
    '/converse-stream',
    '/converse',
  ],
  [
    'a stream for an answer of InvokeModel',
    'bedrock.invoke',
    `${bedrock}/invoke`,
    `${bedrock}/invoke-with-response-stream`,
    'url',
    '/invoke',
    '/invoke-with-response-stream',
  ],
  [
    'a stream for an answer of Claude on Vertex',
    'anthropic.messages',
    `${vertex}:rawPredict`,
    `${vertex}:streamRawPredict`,
    'url',
    ':rawPredict',
    ':streamRawPredict',
  ],
  [
    'another version of the API',
    'openai.chat',
    `${azure}?api-version=2024-10-21`,
    `${azure}?api-version=2025-01-01`,
    'query["api-version"]',
    '2024-10-21',
    '2025-01-01',
  ],
  [
    'a field of a query more',
    'anthropic.messages',
    'https://api.anthropic.com/v1/messages?beta=false',
    'https://api.anthropic.com/v1/messages?beta=true&key=k',
    'query.beta',
    'false',
    'true',
  ],
])('finds %s in the URL', (_, name, recorded, live, path, expected, received) => {
  expect(compareInputs('model', name, call(recorded), call(live))).toEqual([{ path, part: 'url', expected, received }])
  expect(canonicalInput('model', name, call(recorded))).not.toBe(canonicalInput('model', name, call(live)))
})

it('finds another method', () => {
  expect(compareInputs('model', 'openai.chat', call(azure), call(azure, { messages: [] }, 'PUT'))).toEqual([
    { path: 'method', part: 'method', expected: 'POST', received: 'PUT' },
  ])
})

it.each<readonly [...Case, recordedBody: object, liveBody: object, expected: string, received: string]>([
  [
    'Gemini',
    'gemini.content',
    `${gemini}:generateContent`,
    `${gemini}-lite:generateContent`,
    {},
    {},
    'gemini-2.5-flash',
    'gemini-2.5-flash-lite',
  ],
  [
    'Bedrock',
    'bedrock.converse',
    `${bedrock}/converse`,
    `${bedrock.replace('micro', 'pro')}/converse`,
    {},
    {},
    'amazon.nova-micro-v1:0',
    'amazon.nova-pro-v1:0',
  ],
  [
    'Claude on Vertex',
    'anthropic.messages',
    `${vertex}:rawPredict`,
    `${vertex.replace('sonnet', 'opus')}:rawPredict`,
    {},
    {},
    'claude-sonnet-4@20250514',
    'claude-opus-4@20250514',
  ],
  [
    'OpenAI',
    'openai.chat',
    'https://api.openai.com/v1/chat/completions',
    'https://api.openai.com/v1/chat/completions',
    { model: 'a' },
    { model: 'b' },
    'a',
    'b',
  ],
  ['Azure', 'openai.chat', azure, azure.replace('4.1', '5'), {}, {}, 'gpt-4.1', 'gpt-5'],
  [
    'Azure, which the body names too',
    'openai.chat',
    azure,
    azure.replace('4.1', '5'),
    { model: 'gpt-4.1' },
    { model: 'gpt-5' },
    'gpt-4.1',
    'gpt-5',
  ],
  ['a deployment behind one name', 'openai.chat', azure, azure.replace('4.1', '5'), { model: 'gpt' }, { model: 'gpt' }, 'gpt-4.1', 'gpt-5'],
  [
    'Azure after OpenAI',
    'openai.chat',
    'https://api.openai.com/v1/chat/completions',
    azure,
    { model: 'gpt-4o' },
    { model: 'gpt-4.1' },
    'gpt-4o',
    'gpt-4.1',
  ],
])('finds another model of %s once', (_, name, recorded, live, recordedBody, liveBody, expected, received) => {
  expect(compareInputs('model', name, call(recorded, recordedBody), call(live, liveBody))).toEqual([
    { path: 'model', part: 'model', expected, received },
  ])
})

it('finds no other model where Azure answers under the same name, which it has in its address', () => {
  const recorded = call('https://api.openai.com/v1/chat/completions', { model: 'gpt-4.1' })
  expect(compareInputs('model', 'openai.chat', recorded, call(azure, { model: 'gpt-4.1' }))).toEqual([])
})
