import { expect, it } from 'vitest'
import type { RequestPart } from '../../src/models/dialect.ts'
import { dialectNamed } from '../../src/models/dialects.ts'

type Case = readonly [dialect: string, path: readonly (string | number)[], part: RequestPart, recorded?: object, live?: object]

const chat = (...roles: string[]): object => ({ messages: roles.map((role) => ({ role, content: role })) })
const input = (...roles: string[]): object => ({ input: roles.map((role) => ({ role, content: role })) })

const cases: readonly Case[] = [
  ['openai.chat', ['model'], 'model'],
  ['openai.chat', ['temperature'], 'sampling'],
  ['openai.chat', ['tool_choice', 'function', 'name'], 'sampling'],
  ['openai.chat', ['response_format'], 'sampling'],
  ['openai.chat', ['min_p'], 'sampling'],
  ['openai.chat', ['tools', 2, 'function', 'description'], 'tool-schema'],
  ['openai.chat', ['functions', 0], 'tool-schema'],
  ['openai.chat', ['stream'], 'body'],
  ['openai.chat', ['metadata', 'run'], 'body'],
  ['openai.chat', ['user'], 'body'],
  ['openai.chat', [], 'body'],
  ['openai.chat', [0], 'body'],
  ['openai.chat', ['messages', 0, 'content'], 'system-prompt', chat('system', 'user'), chat('system', 'user')],
  ['openai.chat', ['messages', 0, 'content'], 'system-prompt', chat('developer', 'user'), chat('developer', 'user')],
  ['openai.chat', ['messages', 1, 'content'], 'messages', chat('system', 'user'), chat('system', 'user')],
  ['openai.chat', ['messages', 0, 'role'], 'system-prompt', chat('system', 'user'), chat('user')],
  ['openai.chat', ['messages', 0, 'role'], 'system-prompt', chat('user'), chat('system', 'user')],
  ['openai.chat', ['messages', 2], 'messages', chat('system', 'user'), chat('system', 'user', 'user')],
  ['openai.chat', ['messages', 2], 'system-prompt', chat('system', 'user'), chat('system', 'user', 'system')],
  ['openai.chat', ['messages'], 'messages', chat('system', 'user'), chat('system', 'user', 'user')],
  ['openai.chat', ['messages'], 'system-prompt', chat('system', 'user'), chat('user')],
  ['openai.chat', ['messages'], 'messages', chat('user'), {}],
  ['openai.chat', ['__proto__'], 'sampling'],
  ['openai.chat', ['constructor'], 'sampling'],
  ['openai.responses', ['instructions'], 'system-prompt'],
  ['openai.responses', ['prompt', 'version'], 'system-prompt'],
  ['openai.responses', ['input', 0, 'content'], 'system-prompt', input('developer', 'user'), input('developer', 'user')],
  ['openai.responses', ['input', 1, 'content'], 'messages', input('developer', 'user'), input('developer', 'user')],
  ['openai.responses', ['input'], 'messages', { input: 'one' }, { input: 'two' }],
  ['openai.responses', ['previous_response_id'], 'messages'],
  ['openai.responses', ['tools', 0, 'parameters'], 'tool-schema'],
  ['openai.responses', ['reasoning', 'effort'], 'sampling'],
  ['openai.responses', ['text', 'format'], 'sampling'],
  ['openai.responses', ['include', 0], 'body'],
  ['openai.responses', ['model'], 'model'],
  ['anthropic.messages', ['system'], 'system-prompt'],
  ['anthropic.messages', ['system', 0, 'text'], 'system-prompt'],
  ['anthropic.messages', ['messages', 0, 'content'], 'messages', chat('user'), chat('user')],
  ['anthropic.messages', ['messages', 1, 'content'], 'system-prompt', chat('user', 'system'), chat('user', 'system')],
  ['anthropic.messages', ['tools', 0, 'input_schema', 'properties'], 'tool-schema'],
  ['anthropic.messages', ['mcp_servers', 0], 'tool-schema'],
  ['anthropic.messages', ['max_tokens'], 'sampling'],
  ['anthropic.messages', ['thinking', 'budget_tokens'], 'sampling'],
  ['anthropic.messages', ['tool_choice'], 'sampling'],
  ['anthropic.messages', ['anthropic_version'], 'body'],
  ['anthropic.messages', ['metadata', 'user_id'], 'body'],
  ['anthropic.messages', ['model'], 'model'],
  ['gemini.content', ['systemInstruction', 'parts', 0, 'text'], 'system-prompt'],
  ['gemini.content', ['system_instruction'], 'system-prompt'],
  ['gemini.content', ['contents', 0, 'parts', 0, 'text'], 'messages', { contents: [{ role: 'user' }] }, { contents: [{ role: 'user' }] }],
  ['gemini.content', ['contents'], 'messages', { contents: [{ role: 'user' }] }, { contents: [] }],
  ['gemini.content', ['tools', 0, 'functionDeclarations', 0, 'description'], 'tool-schema'],
  ['gemini.content', ['toolConfig', 'functionCallingConfig'], 'sampling'],
  ['gemini.content', ['generationConfig', 'temperature'], 'sampling'],
  ['gemini.content', ['safetySettings', 0], 'sampling'],
  ['gemini.content', ['cachedContent'], 'messages'],
  ['gemini.content', ['labels', 'team'], 'body'],
  ['bedrock.converse', ['system', 0, 'text'], 'system-prompt'],
  ['bedrock.converse', ['messages', 0, 'content', 0], 'messages', chat('user'), chat('user')],
  ['bedrock.converse', ['toolConfig', 'tools', 0, 'toolSpec', 'description'], 'tool-schema'],
  ['bedrock.converse', ['toolConfig'], 'tool-schema'],
  ['bedrock.converse', ['toolConfig', 'toolChoice'], 'sampling'],
  ['bedrock.converse', ['inferenceConfig', 'temperature'], 'sampling'],
  ['bedrock.converse', ['additionalModelRequestFields', 'top_k'], 'sampling'],
  ['bedrock.converse', ['requestMetadata', 'run'], 'body'],
  ['bedrock.invoke', ['system'], 'system-prompt', { anthropic_version: 'a' }, { anthropic_version: 'a' }],
  ['bedrock.invoke', ['tools', 0], 'tool-schema', { anthropic_version: 'a' }, { anthropic_version: 'a' }],
  ['bedrock.invoke', ['toolConfig', 'tools'], 'tool-schema', { inferenceConfig: {} }, { inferenceConfig: {} }],
  ['bedrock.invoke', ['messages', 0, 'content'], 'system-prompt', chat('system'), chat('system')],
  ['cohere.chat', ['messages', 0, 'content'], 'system-prompt', chat('system'), chat('system')],
  ['cohere.chat', ['documents', 0], 'messages'],
  ['cohere.chat', ['tools', 0], 'tool-schema'],
  ['cohere.chat', ['p'], 'sampling'],
  ['ollama.chat', ['options', 'temperature'], 'sampling'],
  ['ollama.chat', ['think'], 'sampling'],
  ['ollama.chat', ['keep_alive'], 'body'],
  ['ollama.chat', ['model'], 'model'],
]

it.each(cases.map(toNamed))('$dialect: a difference at $where is in the $part', ({ dialect, path, part, recorded, live }) => {
  expect(dialectNamed(dialect)?.requestPart(path, recorded, live)).toBe(part)
})

function toNamed([dialect, path, part, recorded = {}, live = {}]: Case): Named {
  return { dialect, path, where: JSON.stringify(path), part, recorded, live }
}

interface Named {
  readonly dialect: string
  readonly path: readonly (string | number)[]
  readonly where: string
  readonly part: RequestPart
  readonly recorded: object
  readonly live: object
}
