import { expect, it } from 'vitest'
import { anthropicMessages } from '../../src/models/anthropic-messages.ts'
import { openaiChat } from '../../src/models/openai-chat.ts'
import { openaiResponses } from '../../src/models/openai-responses.ts'
import { renameToolCallIds } from '../../src/models/tool-call-ids.ts'
import { hasSharedData, readTauConversations, type TauMessage } from './shared-data.ts'

const called = (...ids: string[]): unknown => ({
  role: 'assistant',
  tool_calls: ids.map((id) => ({ id, function: { name: 'f', arguments: '{}' } })),
})
const result = (id: string): unknown => ({ role: 'tool', tool_call_id: id, content: 'done' })

it.each([
  [
    'parallel calls and their results',
    [called('x', 'y'), result('y'), result('x')],
    [called('call_1', 'call_2'), result('call_2'), result('call_1')],
  ],
  [
    'an id used again',
    [called('x'), result('x'), called('x'), result('x')],
    [called('call_1'), result('call_1'), called('call_2'), result('call_2')],
  ],
  [
    'the latest of two calls without a result',
    [called('x'), called('x'), result('x')],
    [called('call_1'), called('call_2'), result('call_2')],
  ],
  [
    'both, the latest first',
    [called('x'), called('x'), result('x'), result('x')],
    [called('call_1'), called('call_2'), result('call_2'), result('call_1')],
  ],
  ['a second result of one call', [called('x'), result('x'), result('x')], [called('call_1'), result('call_1'), result('call_1')]],
  [
    'results whose call was trimmed',
    [result('x'), called('y'), result('y'), result('x')],
    [result('call_1'), called('call_2'), result('call_2'), result('call_1')],
  ],
  ['ids that look canonical', [called('call_2', 'call_1'), result('call_2')], [called('call_1', 'call_2'), result('call_1')]],
  ['calls without an id', [called(''), called('x')], [called(''), called('call_1')]],
])('renames %s', (_, messages, renamed) => {
  expect(renameToolCallIds({ model: 'm', messages }, openaiChat)).toEqual({ model: 'm', messages: renamed })
})

it('renames the ids of Anthropic blocks, those of calls that the provider ran included', () => {
  const body = (first: string, second: string): unknown => ({
    messages: [
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: first, name: 'web_search', input: { id: first } },
          { type: 'web_search_tool_result', tool_use_id: first, content: [] },
          { type: 'tool_use', id: second, name: 'f', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: second, content: 'done' }] },
    ],
  })
  const renamed = renameToolCallIds(body('srvtoolu_01', 'toolu_02'), anthropicMessages)
  expect(JSON.stringify(renamed)).toBe(
    JSON.stringify(body('call_1', 'call_2')).replace('"input":{"id":"call_1"}', '"input":{"id":"srvtoolu_01"}'),
  )
})

it('renames both ids of a call of the responses dialect', () => {
  const items = [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'function_call', id: 'fc_9', call_id: 'call_9', name: 'f', arguments: '{}' },
    { type: 'custom_tool_call', call_id: 'call_8', name: 'g', input: 'text' },
    { type: 'function_call_output', call_id: 'call_9', output: 'done' },
    { type: 'custom_tool_call_output', call_id: 'call_8', output: 'done' },
  ]
  expect(renameToolCallIds({ input: items }, openaiResponses)).toEqual({
    input: [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'function_call', id: 'call_1', call_id: 'call_1', name: 'f', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'g', input: 'text' },
      { type: 'function_call_output', call_id: 'call_1', output: 'done' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: 'done' },
    ],
  })
})

it.each([undefined, null, 'text', [], { messages: 'text' }, { messages: [null, 1, { tool_calls: [null, 'x', {}] }] }])(
  'leaves %j as it is',
  (json) => {
    expect(renameToolCallIds(json, openaiChat)).toEqual(json)
    expect(renameToolCallIds(json, openaiResponses)).toEqual(json)
    expect(renameToolCallIds(json, anthropicMessages)).toEqual(json)
  },
)

it('changes neither its input nor the order of its keys', () => {
  const body = { z: 1, messages: [called('x'), result('x')], a: 2 }
  const before = JSON.stringify(body)
  expect(JSON.stringify(renameToolCallIds(body, openaiChat))).toBe(before.replaceAll('"x"', '"call_1"'))
  expect(JSON.stringify(body)).toBe(before)
})

it.skipIf(!hasSharedData)(
  'makes recorded conversations equal to themselves under other ids, where one id stands for several calls too',
  () => {
    const conversations = readTauConversations()
    expect(conversations).toHaveLength(32)
    let reused = 0
    for (const { file, messages } of conversations) {
      const ids = messages.flatMap((message) => message.tool_calls ?? []).map(({ id }) => id)
      if (new Set(ids).size < ids.length) reused++
      const other = withFreshIds(messages)
      expect(other).not.toEqual(messages)
      expect({ file, renamed: renameToolCallIds({ messages: other }, openaiChat) }).toEqual({
        file,
        renamed: renameToolCallIds({ messages }, openaiChat),
      })
    }
    expect(reused).toBeGreaterThan(0)
  },
)

/** Each call gets an id that no other has; a result follows its call, which in these conversations is the message before it. */
function withFreshIds(messages: readonly TauMessage[]): readonly TauMessage[] {
  let count = 0
  let current: string[] = []
  return messages.map((message) => {
    if (message.tool_calls) {
      current = message.tool_calls.map(() => `fresh-${++count}`)
      return { ...message, tool_calls: message.tool_calls.map((call, index) => ({ ...call, id: current[index] ?? '' })) }
    }
    return message.tool_call_id === undefined ? message : { ...message, tool_call_id: current.shift() ?? '' }
  })
}
