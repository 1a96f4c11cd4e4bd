import { expect, it } from 'vitest'
import type { Dialect, RequestEdit } from '../../src/models/dialect.ts'
import { dialectNamed } from '../../src/models/dialects.ts'
import { RequestEditError } from '../../src/models/edit/request-edit-error.ts'

const CHAT = 'https://api.openai.com/v1/chat/completions'
const AZURE = 'https://x.openai.azure.com/openai/deployments/my-gpt/chat/completions?api-version=1'
const RESPONSES = 'https://api.openai.com/v1/responses'
const MESSAGES = 'https://api.anthropic.com/v1/messages'
const VERTEX = 'https://aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/claude-4@1:rawPredict'
const GEMINI = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse'
const CONVERSE = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-micro-v1%3A0/converse'
const INVOKE = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-4-v1%3A0/invoke'
const OLLAMA = 'http://127.0.0.1:11434/api/chat'
const COHERE = 'https://api.cohere.com/v2/chat'

const HI = { role: 'user', content: 'Hi' }
const SYSTEM: RequestEdit = { system: 'Be brief.' }
const SAID: RequestEdit = {
  messages: [
    { role: 'user', text: 'Where is it?' },
    { role: 'assistant', text: 'Which order?' },
    { role: 'user', text: 'ord_1' },
  ],
}
const SAID_AS_CONTENT = [
  { role: 'user', content: 'Where is it?' },
  { role: 'assistant', content: 'Which order?' },
  { role: 'user', content: 'ord_1' },
]

interface Case {
  readonly what: string
  readonly dialect: string
  readonly url: string
  readonly body: unknown
  readonly edit: RequestEdit
  readonly edited: unknown
  readonly editedUrl?: string
}

const cases: readonly Case[] = [
  {
    what: 'the only system message of a chat, with its other fields',
    dialect: 'openai.chat',
    url: CHAT,
    body: { messages: [{ name: 'a', role: 'system', content: 'Be kind.' }, HI], model: 'gpt-4o' },
    edit: SYSTEM,
    edited: { messages: [{ name: 'a', role: 'system', content: 'Be brief.' }, HI], model: 'gpt-4o' },
  },
  {
    what: 'several system prompts of a chat, where the first stands and with its role',
    dialect: 'openai.chat',
    url: CHAT,
    body: {
      model: 'gpt-4o',
      messages: [HI, { role: 'developer', content: 'Be kind.' }, HI, { role: 'system', content: 'Be quick.' }],
    },
    edit: SYSTEM,
    edited: { model: 'gpt-4o', messages: [HI, { role: 'developer', content: 'Be brief.' }, HI] },
  },
  {
    what: 'a system message of a chat in pieces, with the cache mark of the last',
    dialect: 'openai.chat',
    url: CHAT,
    body: {
      messages: [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'Be kind.' },
            { type: 'text', text: 'Be quick.', cache_control: { type: 'ephemeral' } },
          ],
        },
        HI,
      ],
    },
    edit: SYSTEM,
    edited: {
      messages: [{ role: 'system', content: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] }, HI],
    },
  },
  {
    what: 'the missing system prompt of a chat',
    dialect: 'openai.chat',
    url: CHAT,
    body: { messages: [HI], model: 'gpt-4o' },
    edit: SYSTEM,
    edited: { messages: [{ role: 'system', content: 'Be brief.' }, HI], model: 'gpt-4o' },
  },
  {
    what: 'the system prompt of a chat by none',
    dialect: 'openai.chat',
    url: CHAT,
    body: { messages: [{ role: 'system', content: 'Be kind.' }, HI] },
    edit: { system: '' },
    edited: { messages: [HI] },
  },
  {
    what: 'the conversation of a chat behind its system prompts',
    dialect: 'openai.chat',
    url: CHAT,
    body: { messages: [{ role: 'system', content: 'Be kind.' }, HI, { role: 'system', content: 'Be quick.' }], model: 'gpt-4o' },
    edit: SAID,
    edited: {
      messages: [{ role: 'system', content: 'Be kind.' }, { role: 'system', content: 'Be quick.' }, ...SAID_AS_CONTENT],
      model: 'gpt-4o',
    },
  },
  {
    what: 'every part of a chat at once',
    dialect: 'openai.chat',
    url: CHAT,
    body: { temperature: 1, messages: [HI], model: 'gpt-4o', top_p: 1, tools: [] },
    edit: { ...SYSTEM, ...SAID, model: 'gpt-5', sampling: { temperature: 0, top_p: undefined, seed: 7 } },
    edited: {
      temperature: 0,
      messages: [{ role: 'system', content: 'Be brief.' }, ...SAID_AS_CONTENT],
      model: 'gpt-5',
      tools: [],
      seed: 7,
    },
  },
  {
    what: 'the model of a deployment at Azure, which the body names too',
    dialect: 'openai.chat',
    url: AZURE,
    body: { model: 'my-gpt', messages: [HI] },
    edit: { model: 'my gpt/5' },
    edited: { model: 'my gpt/5', messages: [HI] },
    editedUrl: 'https://x.openai.azure.com/openai/deployments/my%20gpt%2F5/chat/completions?api-version=1',
  },
  {
    what: 'the model of a deployment at Azure, which only the address names',
    dialect: 'openai.chat',
    url: AZURE,
    body: { messages: [HI] },
    edit: { model: 'other' },
    edited: { messages: [HI] },
    editedUrl: 'https://x.openai.azure.com/openai/deployments/other/chat/completions?api-version=1',
  },
  {
    what: 'the model of a body below an address that names an endpoint',
    dialect: 'openai.chat',
    url: 'https://aiplatform.googleapis.com/v1/projects/p/locations/l/endpoints/openapi/chat/completions',
    body: { model: 'google/gemini', messages: [HI] },
    edit: { model: 'google/other' },
    edited: { model: 'google/other', messages: [HI] },
  },
  {
    what: 'the instructions of responses, and the instructing items with them',
    dialect: 'openai.responses',
    url: RESPONSES,
    body: { instructions: 'Be kind.', input: [{ role: 'developer', content: 'Be quick.' }, HI], model: 'gpt-4.1' },
    edit: SYSTEM,
    edited: { instructions: 'Be brief.', input: [HI], model: 'gpt-4.1' },
  },
  {
    what: 'the instructing item of responses',
    dialect: 'openai.responses',
    url: RESPONSES,
    body: { input: [{ role: 'developer', content: [{ type: 'input_text', text: 'Be quick.' }] }, HI], instructions: null },
    edit: SYSTEM,
    edited: { input: [{ role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] }, HI], instructions: null },
  },
  {
    what: 'the missing instructions of responses',
    dialect: 'openai.responses',
    url: RESPONSES,
    body: { instructions: null, input: 'Hi' },
    edit: SYSTEM,
    edited: { instructions: 'Be brief.', input: 'Hi' },
  },
  {
    what: 'the instructions of responses by none',
    dialect: 'openai.responses',
    url: RESPONSES,
    body: { instructions: 'Be kind.', input: [{ role: 'system', content: 'Be quick.' }, HI] },
    edit: { system: '' },
    edited: { input: [HI] },
  },
  {
    what: 'the instructions of responses that go on with a conversation',
    dialect: 'openai.responses',
    url: RESPONSES,
    body: { instructions: 'Be kind.', input: [HI], previous_response_id: 'resp_1' },
    edit: SYSTEM,
    edited: { instructions: 'Be brief.', input: [HI], previous_response_id: 'resp_1' },
  },
  {
    what: 'the text input of responses by a text',
    dialect: 'openai.responses',
    url: RESPONSES,
    body: { input: 'Hi', instructions: 'Be kind.' },
    edit: { messages: [{ role: 'user', text: 'Bye' }] },
    edited: { input: 'Bye', instructions: 'Be kind.' },
  },
  {
    what: 'the items of responses behind the instructing ones',
    dialect: 'openai.responses',
    url: RESPONSES,
    body: { input: [{ role: 'developer', content: 'Be quick.' }, HI, { type: 'reasoning', id: 'rs_1', summary: [] }] },
    edit: SAID,
    edited: { input: [{ role: 'developer', content: 'Be quick.' }, ...SAID_AS_CONTENT] },
  },
  {
    what: 'the system text of messages',
    dialect: 'anthropic.messages',
    url: MESSAGES,
    body: { system: 'Be kind.', messages: [HI], model: 'claude' },
    edit: SYSTEM,
    edited: { system: 'Be brief.', messages: [HI], model: 'claude' },
  },
  {
    what: 'the system blocks of messages, with the cache mark of the last, and the system messages among them',
    dialect: 'anthropic.messages',
    url: MESSAGES,
    body: {
      messages: [HI, { role: 'system', content: 'Be quick.' }],
      system: [
        { type: 'text', text: 'Be kind.' },
        { type: 'text', text: 'Be good.', cache_control: { type: 'ephemeral', ttl: '1h' } },
      ],
    },
    edit: SYSTEM,
    edited: { messages: [HI], system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
  },
  {
    what: 'the only system prompt of messages, which stands among them',
    dialect: 'anthropic.messages',
    url: MESSAGES,
    body: { messages: [HI, { role: 'system', content: 'Be quick.' }] },
    edit: SYSTEM,
    edited: { messages: [HI, { role: 'system', content: 'Be brief.' }] },
  },
  {
    what: 'the missing system prompt of messages, and the conversation',
    dialect: 'anthropic.messages',
    url: MESSAGES,
    body: { messages: [HI], max_tokens: 9 },
    edit: { ...SYSTEM, ...SAID },
    edited: { messages: SAID_AS_CONTENT, max_tokens: 9, system: 'Be brief.' },
  },
  {
    what: 'the system prompt of messages by none',
    dialect: 'anthropic.messages',
    url: MESSAGES,
    body: { system: [{ type: 'text', text: 'Be kind.' }], messages: [HI] },
    edit: { system: '' },
    edited: { messages: [HI] },
  },
  {
    what: 'the model of messages on Vertex',
    dialect: 'anthropic.messages',
    url: VERTEX,
    body: { anthropic_version: 'vertex-2023-10-16', messages: [HI] },
    edit: { model: 'claude-5@2' },
    edited: { anthropic_version: 'vertex-2023-10-16', messages: [HI] },
    editedUrl: VERTEX.replace('claude-4@1', 'claude-5@2'),
  },
  {
    what: 'the system instruction of Gemini, in its spelling',
    dialect: 'gemini.content',
    url: GEMINI,
    body: { system_instruction: { role: 'system', parts: [{ text: 'Be kind.' }, { text: 'Be quick.' }] }, contents: [{ parts: [] }] },
    edit: SYSTEM,
    edited: { system_instruction: { role: 'system', parts: [{ text: 'Be brief.' }] }, contents: [{ parts: [] }] },
  },
  {
    what: 'a system instruction of Gemini whose parts are one',
    dialect: 'gemini.content',
    url: GEMINI,
    body: { systemInstruction: { parts: { text: 'Be kind.' } } },
    edit: SYSTEM,
    edited: { systemInstruction: { parts: { text: 'Be brief.' } } },
  },
  {
    what: 'the missing system instruction of Gemini, its conversation and model',
    dialect: 'gemini.content',
    url: GEMINI,
    body: { contents: [{ parts: [{ text: 'Hi' }] }], tools: [] },
    edit: { ...SYSTEM, ...SAID, model: 'gemini-3-flash' },
    edited: {
      contents: [
        { role: 'user', parts: [{ text: 'Where is it?' }] },
        { role: 'model', parts: [{ text: 'Which order?' }] },
        { role: 'user', parts: [{ text: 'ord_1' }] },
      ],
      tools: [],
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
    },
    editedUrl: GEMINI.replace('gemini-2.5-pro', 'gemini-3-flash'),
  },
  {
    what: 'the model of Gemini where the body names it as well',
    dialect: 'gemini.content',
    url: GEMINI,
    body: { model: 'models/gemini-2.5-pro', contents: [] },
    edit: { model: 'gemini-3-flash' },
    edited: { model: 'models/gemini-3-flash', contents: [] },
    editedUrl: GEMINI.replace('gemini-2.5-pro', 'gemini-3-flash'),
  },
  {
    what: 'the sampling of Gemini where it stands, in its spelling',
    dialect: 'gemini.content',
    url: GEMINI,
    body: { generation_config: { max_output_tokens: 9, temperature: 1 }, tool_config: { a: 1 }, contents: [] },
    edit: { sampling: { maxOutputTokens: 5, temperature: undefined, toolConfig: { a: 2 }, topK: 3, safetySettings: [] } },
    edited: { generation_config: { max_output_tokens: 5, topK: 3 }, tool_config: { a: 2 }, contents: [], safetySettings: [] },
  },
  {
    what: 'the system prompt of Converse, with the cache mark at its end',
    dialect: 'bedrock.converse',
    url: CONVERSE,
    body: {
      system: [
        { text: 'Be kind.' },
        { cachePoint: { type: 'default' } },
        { text: 'Be quick.' },
        { cachePoint: { type: 'default', ttl: '1h' } },
      ],
      messages: [],
    },
    edit: SYSTEM,
    edited: { system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default', ttl: '1h' } }], messages: [] },
  },
  {
    what: 'the missing system prompt of Converse, its conversation, model and sampling',
    dialect: 'bedrock.converse',
    url: CONVERSE,
    body: {
      messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
      inferenceConfig: { maxTokens: 9, topP: 1 },
      toolConfig: { tools: [] },
    },
    edit: {
      ...SYSTEM,
      messages: [{ role: 'user', text: 'Bye' }],
      model: 'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-4-v1:0',
      sampling: { maxTokens: 5, topP: undefined, temperature: 0, toolChoice: { any: {} }, additionalModelRequestFields: { top_k: 1 } },
    },
    edited: {
      messages: [{ role: 'user', content: [{ text: 'Bye' }] }],
      inferenceConfig: { maxTokens: 5, temperature: 0 },
      toolConfig: { tools: [], toolChoice: { any: {} } },
      system: [{ text: 'Be brief.' }],
      additionalModelRequestFields: { top_k: 1 },
    },
    editedUrl: CONVERSE.replace(
      'amazon.nova-micro-v1%3A0',
      'arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.anthropic.claude-4-v1%3A0',
    ),
  },
  {
    what: 'the parts of an invoked Claude',
    dialect: 'bedrock.invoke',
    url: INVOKE,
    body: { anthropic_version: 'bedrock-2023-05-31', system: 'Be kind.', messages: [HI], top_k: 3 },
    edit: { ...SYSTEM, ...SAID, model: 'anthropic.claude-5-v1:0', sampling: { top_k: 1 } },
    edited: { anthropic_version: 'bedrock-2023-05-31', system: 'Be brief.', messages: SAID_AS_CONTENT, top_k: 1 },
    editedUrl: INVOKE.replace('us.anthropic.claude-4-v1%3A0', 'anthropic.claude-5-v1%3A0'),
  },
  {
    what: 'the parts of an invoked Nova',
    dialect: 'bedrock.invoke',
    url: INVOKE.replace('us.anthropic.claude-4-v1%3A0', 'amazon.nova-micro-v1:0'),
    body: { schemaVersion: 'messages-v1', messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
    edit: { ...SYSTEM, messages: [{ role: 'user', text: 'Bye' }], model: 'amazon.nova-pro-v1:0', sampling: { topK: 1 } },
    edited: {
      schemaVersion: 'messages-v1',
      messages: [{ role: 'user', content: [{ text: 'Bye' }] }],
      system: [{ text: 'Be brief.' }],
      inferenceConfig: { topK: 1 },
    },
    editedUrl: INVOKE.replace('us.anthropic.claude-4-v1%3A0', 'amazon.nova-pro-v1%3A0'),
  },
  {
    what: 'the parts of another invoked model',
    dialect: 'bedrock.invoke',
    url: INVOKE.replace('us.anthropic.claude-4-v1%3A0', 'mistral.large'),
    body: { messages: [{ role: 'system', content: 'Be kind.' }, HI], top_k: 3 },
    edit: { ...SYSTEM, ...SAID, model: 'qwen.qwen3-32b-v1:0' },
    edited: { messages: [{ role: 'system', content: 'Be brief.' }, ...SAID_AS_CONTENT], top_k: 3 },
    editedUrl: INVOKE.replace('us.anthropic.claude-4-v1%3A0', 'qwen.qwen3-32b-v1%3A0'),
  },
  {
    what: 'the parts of a chat at Cohere',
    dialect: 'cohere.chat',
    url: COHERE,
    body: { model: 'command-a', messages: [{ role: 'system', content: [{ type: 'text', text: 'Be kind.' }] }, HI], documents: ['a'], p: 1 },
    edit: { ...SYSTEM, ...SAID, model: 'command-b', sampling: { p: 0.5 } },
    edited: {
      model: 'command-b',
      messages: [{ role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }, ...SAID_AS_CONTENT],
      documents: ['a'],
      p: 0.5,
    },
  },
  {
    what: 'the parts of a chat at Ollama, its sampling where it stands',
    dialect: 'ollama.chat',
    url: OLLAMA,
    body: { model: 'llama3.1', messages: [HI], options: { temperature: 1 }, format: 'json' },
    edit: { ...SYSTEM, ...SAID, model: 'qwen3', sampling: { temperature: 0, seed: 7, format: undefined, think: true } },
    edited: {
      model: 'qwen3',
      messages: [{ role: 'system', content: 'Be brief.' }, ...SAID_AS_CONTENT],
      options: { temperature: 0, seed: 7 },
      think: true,
    },
  },
]

it.each(cases)('replaces $what ($dialect)', ({ dialect, url, body, edit, edited, editedUrl = url }) => {
  const before = JSON.stringify(body)
  const result = named(dialect).editRequest(deepFrozen(body), url, deepFrozen(edit))
  // As text, because the order of keys counts.
  expect(JSON.stringify(result.json, null, 1)).toBe(JSON.stringify(edited, null, 1))
  expect(result.url).toBe(editedUrl)
  expect(JSON.stringify(body)).toBe(before)
  const request = named(dialect).request(result.json, result.url)
  const { system = request.system, messages = request.messages, model = request.model } = edit
  expect(request).toMatchObject({ system: system === '' ? [] : [system].flat(), messages, model })
  const wanted = Object.entries(edit.sampling ?? {}).filter(([name]) => !/^(?:maxOutputTokens|toolConfig)$/.test(name))
  for (const [name, value] of wanted) expect(request.sampling[name]).toEqual(value)
})

it.each(cases)('changes nothing for an empty edit, and nothing more the second time: $what ($dialect)', ({ dialect, url, body, edit }) => {
  expect(named(dialect).editRequest(body, url, {})).toEqual({ json: body, url })
  const once = named(dialect).editRequest(body, url, edit)
  expect(named(dialect).editRequest(once.json, once.url, edit)).toEqual(once)
})

const GUARDED = { guardContent: { text: { text: 'Be kind.' } } }

it.each<readonly [dialect: string, url: string, body: unknown, edit: RequestEdit, message: string]>([
  ['openai.chat', CHAT, 'text', SYSTEM, 'Cannot edit the system prompt of a request to openai.chat: its body is not a JSON object.'],
  ['openai.chat', CHAT, {}, { model: '' }, 'Cannot edit the model of a request to openai.chat: the new name is empty.'],
  ['openai.chat', CHAT, {}, { messages: [] }, 'Cannot edit the messages of a request to openai.chat: the new conversation has no message.'],
  [
    'openai.chat',
    CHAT,
    {},
    { sampling: { seed: 1, tools: [] } },
    'Cannot edit the sampling of a request to openai.chat: "tools" is not a sampling field.',
  ],
  [
    'openai.chat',
    CHAT,
    { messages: [{ role: 'system', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] }] },
    SYSTEM,
    'Cannot edit the system prompt of a request to openai.chat: it holds a piece that is not text (image_url).',
  ],
  [
    'openai.responses',
    RESPONSES,
    { previous_response_id: 'resp_1', input: 'Hi' },
    SYSTEM,
    'Cannot edit the system prompt of a request to openai.responses: it continues a conversation stored at the provider ("previous_response_id").',
  ],
  [
    'openai.responses',
    RESPONSES,
    { conversation: 'conv_1', input: 'Hi', instructions: 'Be kind.' },
    SAID,
    'Cannot edit the messages of a request to openai.responses: it continues a conversation stored at the provider ("conversation").',
  ],
  [
    'openai.responses',
    RESPONSES,
    { prompt: { id: 'pmpt_1' } },
    SYSTEM,
    'Cannot edit the system prompt of a request to openai.responses: it uses a prompt stored at the provider ("prompt").',
  ],
  [
    'anthropic.messages',
    MESSAGES,
    { system: [{ type: 'document', source: {} }] },
    SYSTEM,
    'Cannot edit the system prompt of a request to anthropic.messages: it holds a piece that is not text (document).',
  ],
  [
    'anthropic.messages',
    VERTEX,
    {},
    { model: 'anthropic/claude-5' },
    'Cannot edit the model of a request to anthropic.messages: the new name (anthropic/claude-5) has a slash, and the address takes only the last part of a name.',
  ],
  [
    'gemini.content',
    GEMINI,
    { cached_content: 'cachedContents/1' },
    { model: 'gemini-3' },
    'Cannot edit the model of a request to gemini.content: it uses cached content ("cachedContents/1"), which fixes its system prompt, first messages and model.',
  ],
  [
    'gemini.content',
    GEMINI.replace('/models/', '/tunedModels/'),
    {},
    { model: 'gemini-3' },
    'Cannot edit the model of a request to gemini.content: its address names one of your tuned models.',
  ],
  [
    'gemini.content',
    GEMINI,
    { systemInstruction: { parts: [{ inlineData: {} }] } },
    SYSTEM,
    'Cannot edit the system prompt of a request to gemini.content: it holds a piece that is not text (inlineData).',
  ],
  [
    'bedrock.converse',
    CONVERSE,
    { system: [GUARDED] },
    SYSTEM,
    'Cannot edit the system prompt of a request to bedrock.converse: it holds a piece that is not text (guardContent).',
  ],
  [
    'bedrock.converse',
    CONVERSE.replace('amazon.nova-micro-v1%3A0', encodeURIComponent('arn:aws:bedrock:us-east-1:1:prompt/P1:1')),
    {},
    SAID,
    'Cannot edit the messages of a request to bedrock.converse: it uses a prompt stored at Bedrock (Prompt management).',
  ],
  [
    'bedrock.invoke',
    INVOKE,
    { anthropic_version: 'bedrock-2023-05-31', messages: [HI] },
    { model: 'amazon.nova-pro-v1:0' },
    'Cannot edit the model of a request to bedrock.invoke: its body has the format of us.anthropic.claude-4-v1:0, which amazon.nova-pro-v1:0 does not take.',
  ],
  [
    'bedrock.invoke',
    INVOKE.replace('us.anthropic.claude-4-v1%3A0', 'mistral.large'),
    { messages: [HI] },
    { model: 'meta.llama3-8b' },
    'Cannot edit the model of a request to bedrock.invoke: its body has the format of mistral.large, which meta.llama3-8b does not take.',
  ],
])('refuses what it cannot replace (%s %s %j)', (dialect, url, body, edit, message) => {
  let thrown: unknown
  try {
    named(dialect).editRequest(body, url, edit)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(RequestEditError)
  expect(thrown).toMatchObject({
    code: 'GOLDENRUN_REQUEST_EDIT',
    dialect,
    message: `${message} Give a function that edits the request instead.`,
  })
})

it('keeps a field named __proto__ as data', () => {
  const body: unknown = JSON.parse('{"__proto__":{"polluted":true},"messages":[]}')
  const { json } = named('openai.chat').editRequest(body, CHAT, { ...SYSTEM, sampling: JSON.parse('{"__proto__":{"a":1},"seed":1}') })
  expect(JSON.stringify(json)).toBe('{"__proto__":{"a":1},"messages":[{"role":"system","content":"Be brief."}],"seed":1}')
  expect(Reflect.get({}, 'polluted')).toBe(undefined)
})

function named(name: string): Dialect {
  const dialect = dialectNamed(name)
  if (dialect === undefined) throw new Error(`no dialect ${name}`)
  return dialect
}

function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const field of Object.values(value)) deepFrozen(field)
  return Object.freeze(value)
}
