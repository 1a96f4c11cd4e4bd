import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { createReport } from '../../src/divergence/create-report.ts'
import { prepareRebase } from '../../src/replay/goldens/rebase.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { replay } from '../../src/replay/replay.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'

const CHAT = '/v1/chat/completions'
const CLAUDE = '/v1/messages'
const GEMINI = '/v1beta/models/gemini-3:generateContent'

/** A request's body, in the form of one provider. */
type Body = Readonly<Record<string, unknown>>

/** The call that the model makes in each recorded answer. */
const args = { id: 'ord_1', count: 2 }
const JSON_TEXT = '{"total":7}'

const chatAnswer = {
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: JSON.stringify(args) } }],
      },
    },
  ],
}
const chatText = (content: string): object => ({ choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }] })
const claudeAnswer = {
  type: 'message',
  role: 'assistant',
  stop_reason: 'tool_use',
  content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: args }],
}
const geminiAnswer = {
  candidates: [{ finishReason: 'STOP', content: { role: 'model', parts: [{ functionCall: { name: 'look', args } }] } }],
}

/** The answer of a path: `/json/…` and `/text/…` have a text, all others a call. */
function answerFor(path: string): object {
  if (path.startsWith('/json/')) return chatText(JSON_TEXT)
  if (path.startsWith('/text/')) return chatText('Seven.')
  if (path === CLAUDE) return claudeAnswer
  return path === GEMINI ? geminiAnswer : chatAnswer
}

let server: LocalServer
beforeAll(async () => {
  server = await listen(async (incoming, response) => {
    await readBody(incoming)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerFor(incoming.url ?? '')))
  })
})
afterAll(() => server.close())

const messages = [{ role: 'user', content: 'How many?' }]
const fields = (more: object = {}, required: readonly string[] = ['id']): object => ({
  type: 'object',
  properties: { id: { type: 'string' }, count: { type: 'number' }, ...more },
  required,
})
const chat = (schema: unknown = fields(), name = 'look'): Body => ({
  model: 'gpt-5',
  messages,
  tools: [{ type: 'function', function: { name, description: 'Looks.', parameters: schema } }],
})
const claude = (schema: unknown = fields(), name = 'look'): Body => ({
  model: 'claude-5',
  max_tokens: 9,
  messages,
  tools: [{ name, input_schema: schema }],
})
const gemini = (schema: unknown = fields(), name = 'look'): Body => ({
  contents: [{ role: 'user', parts: [{ text: 'How many?' }] }],
  tools: [{ functionDeclarations: [{ name, parameters: schema }] }],
})
const format = (schema?: object): Body => ({
  model: 'gpt-5',
  messages,
  ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'sum', schema } } }),
})
const total = (type: string): object => ({ type: 'object', properties: { total: { type } }, required: ['total'] })

function agentOf(path: string, body: Body): () => Promise<unknown> {
  return async () => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await response.text()
    return 'done'
  }
}

async function recordGolden(path: string, body: Body): Promise<Trace> {
  const { trace } = await recordRun(agentOf(path, body))
  const { text } = toGolden(trace, { name: 'sum', promotedAt: '2026-11-21T08:00:00.000Z' })
  return decodeTrace(text, 'sum.jsonl', digest)
}

it.each<[what: string, path: string, recorded: Body, changed: Body, clause: string]>([
  ['a tool that is gone', CHAT, chat(), { model: 'gpt-5', messages }, 'calls the tool "look", which the agent no longer offers'],
  ['a tool with another name', CLAUDE, claude(), claude(fields(), 'find'), 'calls the tool "look", which the agent no longer offers'],
  ['a tool of Gemini that is gone', GEMINI, gemini(), gemini(fields(), 'find'), 'calls the tool "look", which the agent no longer offers'],
  [
    'an argument of another type',
    CHAT,
    chat(),
    chat(fields({ id: { type: 'number' } })),
    'calls the tool "look" with {"id":"ord_1","count":2}, which its new schema refuses: id: Instance type "string" is invalid. Expected "number"',
  ],
  [
    'an argument that has to be given now',
    CLAUDE,
    claude(),
    claude(fields({ reason: { type: 'string' } }, ['id', 'reason'])),
    'calls the tool "look" with {"id":"ord_1","count":2}, which its new schema refuses: Instance does not have required property "reason"',
  ],
  [
    "an argument of another type in Google's capitals",
    GEMINI,
    gemini({ type: 'OBJECT', properties: { count: { type: 'INTEGER' } } }),
    gemini({ type: 'OBJECT', properties: { count: { type: 'STRING' } } }),
    'calls the tool "look" with {"id":"ord_1","count":2}, which its new schema refuses: count: Instance type "number" is invalid',
  ],
  ['a stream', CHAT, chat(), { ...chat(), stream: true }, 'is no stream, which the agent now asks for'],
  ['JSON instead of text', `/text${CHAT}`, format(), format(total('number')), 'is text, and the agent now asks for JSON'],
  ['text instead of JSON', `/json${CHAT}`, format(total('number')), format(), 'is JSON, which the agent no longer asks for'],
  [
    'JSON of another schema',
    `/json${CHAT}`,
    format(total('number')),
    format(total('string')),
    'is JSON, which the new schema of the answer refuses: total: Instance type "number" is invalid. Expected "string"',
  ],
])('does not accept %s into a golden, since its recorded answer does not fit', async (_what, path, recorded, changed, clause) => {
  const golden = await recordGolden(path, recorded)
  const rebase = await prepareRebase(golden, agentOf(path, changed))
  expect(rebase).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining(`would keep a recorded answer that ${clause}`) as string,
  })
  // The first report says it as well, and does not advise to accept the new input.
  const run = await replay(golden, agentOf(path, changed))
  const { advice } = createReport({
    ...run,
    commands: { exec: 'npx', rebase: 'npx goldenrun replay sum -u', record: 'npx goldenrun replay sum --record' },
  })
  expect(advice.map(({ words }) => words).join('\n')).toContain(`Accepting it would keep a recorded answer that ${clause}`)
  expect(advice.map(({ command }) => command)).toEqual(['npx goldenrun replay sum --record'])
})

it.each<[what: string, path: string, recorded: Body, changed: Body]>([
  [
    'another description',
    CHAT,
    chat(),
    { ...chat(), tools: [{ type: 'function', function: { name: 'look', parameters: fields(), description: 'Finds.' } }] },
  ],
  ['an optional argument more', CLAUDE, claude(), claude(fields({ reason: { type: 'string' } }))],
  ['a tool more', CHAT, chat(), { ...chat(), tools: [...(chat()['tools'] as object[]), ...(chat(fields(), 'find')['tools'] as object[])] }],
  [
    'a tool less that the answer does not call',
    CHAT,
    { ...chat(), tools: [...(chat()['tools'] as object[]), ...(chat(fields(), 'find')['tools'] as object[])] },
    chat(),
  ],
  ['an answer that the old schema refused as well', CHAT, chat(fields({ id: { type: 'null' } })), chat(fields({ id: { type: 'number' } }))],
  ['a schema that cannot be read', CHAT, chat(), chat({ $ref: '#/nowhere' })],
  [
    'a field more in the JSON that it may leave out',
    `/json${CHAT}`,
    format(total('number')),
    format({ ...total('number'), additionalProperties: true }),
  ],
  ['other words', `/text${CHAT}`, format(), { ...format(), messages: [{ role: 'user', content: 'How much?' }] }],
])('accepts %s', async (_what, path, recorded, changed) => {
  const rebase = await prepareRebase(await recordGolden(path, recorded), agentOf(path, changed))
  expect(rebase).toMatchObject({ status: 'rebased' })
})
