import { expect, it } from 'vitest'

import type { Row } from '../../src/trace/rows.ts'
import { decodeLines, encodeRows, header, modelCall, toolCall } from './samples.ts'

interface Message {
  readonly role: string
  readonly content: string
}

const message = (role: string, index: number, length = 120): Message => ({ role, content: `${role} ${index} ${'x'.repeat(length)}` })
const inputOf = (rows: readonly Row[], step: number): unknown => {
  const line = encodeRows(rows).find((candidate) => candidate.startsWith(`{"kind":"call","step":${step},`)) ?? ''
  return (JSON.parse(line) as { input: unknown }).input
}
const messagesOf = (rows: readonly Row[], step: number): unknown => (inputOf(rows, step) as { json: { messages: unknown } }).json.messages

/** A run that resends its conversation, with one user and one assistant message more each step. */
function growingRun(steps: number): Row[] {
  const rows: Row[] = [header]
  const messages: Message[] = [message('system', 0, 1000)]
  const tools = [{ type: 'function', function: { name: 'get_order', description: 'finds '.repeat(100) } }]
  for (let step = 1; step <= steps; step++) {
    messages.push(message('user', step, step % 2 === 0 ? 400 : 20))
    rows.push(modelCall(step, JSON.parse(JSON.stringify({ model: 'm', messages, tools }))))
    const answer = message('assistant', step)
    rows.push({ kind: 'return', step, at: step, output: { status: 200, headers: [], json: { choices: [{ message: answer }] } } })
    messages.push(answer)
  }
  return rows
}

it('writes a resent conversation as what it adds', () => {
  const [a, b, c, d] = [message('system', 1), message('user', 2), message('assistant', 3), message('user', 4)]
  const rows = [
    header,
    modelCall(1, { messages: [a, b] }),
    modelCall(2, { messages: [a, b, c, d] }),
    modelCall(3, { messages: [a, b, c, d] }),
  ]
  expect(messagesOf(rows, 1)).toStrictEqual([a, b])
  expect(messagesOf(rows, 2)).toStrictEqual({ $: { after: 1, add: [c, d] } })
  expect(messagesOf(rows, 3)).toStrictEqual({ $: { after: 2, add: [] } })
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('says how much is kept where a history was trimmed or changed', () => {
  const [a, b, c, d, e] = [1, 2, 3, 4, 5].map((index) => message('user', index))
  const rows = [
    header,
    modelCall(1, { messages: [a, b, c] }),
    modelCall(2, { messages: [a, c, d] }),
    modelCall(3, { messages: [a, b, c, e] }),
  ]
  expect(messagesOf(rows, 2)).toStrictEqual({ $: { after: 1, keep: 1, add: [c, d] } })
  expect(messagesOf(rows, 3)).toStrictEqual({ $: { after: 1, add: [e] } })
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('continues from the conversation that shares the most, when several take turns', () => {
  const first = [1, 2, 3].map((index) => message('planner', index))
  const second = [1, 2, 3].map((index) => message('writer', index))
  const rows = [
    header,
    modelCall(1, { messages: first.slice(0, 1) }),
    modelCall(2, { messages: second.slice(0, 1) }),
    modelCall(3, { messages: first.slice(0, 2) }),
    modelCall(4, { messages: second.slice(0, 3) }, { owner: 3 }),
    modelCall(5, { messages: first }),
  ]
  expect(messagesOf(rows, 3)).toStrictEqual({ $: { after: 1, add: [first[1]] } })
  expect(messagesOf(rows, 4)).toStrictEqual({ $: { after: 2, add: [second[1], second[2]] } })
  expect(messagesOf(rows, 5)).toStrictEqual({ $: { after: 3, add: [first[2]] } })
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('keeps conversations of different names apart', () => {
  const messages = [message('user', 1)]
  const rows = [
    header,
    modelCall(1, { messages }),
    modelCall(2, { messages }, { name: 'anthropic.messages' }),
    modelCall(3, { input: messages }),
  ]
  expect(messagesOf(rows, 2)).toStrictEqual(messages)
  expect(inputOf(rows, 3)).toMatchObject({ json: { input: messages } })
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('does not continue where writing it again is cheaper', () => {
  const rows = [header, modelCall(1, { messages: [{ role: 'user' }] }), modelCall(2, { messages: [{ role: 'user' }, { role: 'tool' }] })]
  expect(messagesOf(rows, 2)).toStrictEqual([{ role: 'user' }, { role: 'tool' }])
})

it('finds conversations under other fields, in tool arguments, results and states', () => {
  const [a, b, c] = [1, 2, 3].map((index) => message('user', index, 300))
  const rows: Row[] = [
    header,
    modelCall(1, { body: { turns: { contents: [a, b] } } }),
    modelCall(2, { body: { turns: { contents: [a, b, c] } } }),
    toolCall(3, { name: 'ask', input: { history: [a, b], at: new Date(0) } }),
    { kind: 'return', step: 3, at: 1, output: [a, b] },
    toolCall(4, { name: 'ask', input: { history: [a, b, c], at: new Date(1) } }),
    { kind: 'return', step: 4, at: 1, output: [a, b, c] },
    { kind: 'checkpoint', owner: 0, name: 'turn', state: { turn: 1, messages: [a, b] }, at: 1 },
    { kind: 'checkpoint', owner: 0, name: 'turn', state: { turn: 2, messages: [a, b, c] }, at: 2 },
  ]
  const lines = encodeRows(rows)
  const encoded = lines.filter((line) => !line.startsWith('{"kind":"text"')).map((line) => JSON.parse(line) as Record<string, unknown>)
  const reference: unknown = expect.objectContaining({ $: expect.stringMatching(/^t\d+$/) })
  expect(encoded[2]).toMatchObject({ input: { json: { body: { turns: { contents: { $: { after: 1, add: [reference] } } } } } } })
  expect(encoded[5]).toMatchObject({ input: { history: { $: { after: 3, add: [reference] } } } })
  expect(encoded[6]).toMatchObject({ output: { $: { after: 3, add: [reference] } } })
  expect(encoded[8]).toMatchObject({ state: { turn: 2, messages: { $: { after: 1, add: [reference] } } } })
  expect(decodeLines(lines)).toStrictEqual(rows)
})

it('keeps places apart whatever their keys hold', () => {
  const messages = [message('user', 1, 300)]
  const rows = [
    header,
    toolCall(1, { input: { a: { b: messages } } }),
    toolCall(2, { input: { 'a.b': [...messages, message('user', 2)] } }),
  ]
  expect(decodeLines(encodeRows(rows))).toStrictEqual(rows)
})

it('grows with the length of a conversation and not with its square', () => {
  const size = (steps: number): number => encodeRows(growingRun(steps)).join('\n').length
  expect(size(300) / size(30)).toBeLessThan(15)
  expect(decodeLines(encodeRows(growingRun(30)))).toStrictEqual(growingRun(30))
})

it('grows with the length of a conversation that is kept in a state at each turn', () => {
  const run = (turns: number): Row[] => {
    const messages = Array.from({ length: turns }, (_, index) => message('user', index))
    return [
      header,
      ...messages.map((_, index): Row => ({
        kind: 'checkpoint',
        owner: 0,
        name: 'turn',
        state: { messages: messages.slice(0, index + 1) },
        at: index,
      })),
    ]
  }
  expect(encodeRows(run(300)).join('\n').length / encodeRows(run(30)).join('\n').length).toBeLessThan(15)
  expect(decodeLines(encodeRows(run(30)))).toStrictEqual(run(30))
})

it('writes what it has read as it was', () => {
  const lines = encodeRows(growingRun(40))
  expect(encodeRows(decodeLines(lines))).toStrictEqual(lines)
})

it('shares the messages of the steps it has read', () => {
  const rows = decodeLines(encodeRows(growingRun(10)))
  const messages = rows.flatMap((row) => (row.kind === 'call' ? [(row.input as { json: { messages: Message[] } }).json.messages] : []))
  expect(messages[9]?.[0]).toBe(messages[0]?.[0])
  expect(messages[9]?.[5]).toBe(messages[4]?.[5])
})

it('prints items that are the same objects once', () => {
  let printed = 0
  const counted = (row: Row): Row => {
    if (row.kind !== 'call') return row
    const input = row.input as { json: { messages: Message[] } }
    for (const item of input.json.messages) {
      if (!Object.hasOwn(item, 'toJSON')) {
        Object.defineProperty(item, 'toJSON', {
          value: () => {
            printed++
            return { role: item.role, content: item.content }
          },
        })
      }
    }
    return row
  }
  encodeRows(decodeLines(encodeRows(growingRun(40))).map(counted))
  // 1 system, 40 user and 39 assistant messages; fields are printed once more where a whole value is measured.
  expect(printed).toBe(80)
})
