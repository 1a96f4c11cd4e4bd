import { createEncoder } from '../../src/trace/codec/encoder.ts'
import { FORMAT_VERSION, type Row } from '../../src/trace/rows.ts'
import type { RunRow } from '../../src/trace/run-row.ts'

/**
 * Creates the trace of an agent that looks up and answers, turn after turn. In each pair of steps, one is a streamed model call that resends the
 * conversation, and the other is the tool call that it asked for.
 *
 * @param bytes The approximate size of the trace.
 */
export function longRun(steps: number, bytes: number): string {
  const encoder = createEncoder()
  const lines = encoder.encode(header)
  const each = Math.max(40, Math.floor(bytes / steps) - 300)
  const messages: object[] = [{ role: 'system', content: wordsOf(2000, 0) }]
  const add = (row: Row): void => void lines.push(...encoder.encode(row))
  for (let step = 1; step <= steps; step += 2) {
    messages.push({ role: 'user', content: wordsOf(each, step) })
    const [at, id] = [step * 1000, `call_${step}`]
    add({ kind: 'call', step, owner: 0, boundary: 'model', name: 'openai.chat', input: request(messages), at })
    add({ kind: 'head', step, at: at + 200, status: 200, headers: [['content-type', 'text/event-stream']] })
    const pieces = piecesOf(wordsOf(each / 2, step + 1), id)
    for (const [index, text] of pieces.entries()) add({ kind: 'chunk', step, at: at + 220 + index * 10, text })
    add({ kind: 'return', step, at: at + 700 })
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'look_up', arguments: '{"page":1}' } }],
    })
    const result = { page: step, text: wordsOf(each / 2, step + 2) }
    add({
      kind: 'call',
      step: step + 1,
      owner: 0,
      boundary: 'tool',
      name: 'look_up',
      effect: step % 20 === 1 ? 'write' : 'read',
      input: { page: step },
      at: at + 710,
    })
    add({ kind: 'return', step: step + 1, at: at + 900, output: result })
    messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result) })
    if (step % 10 === 1) add({ kind: 'checkpoint', owner: 0, name: 'turn', state: { step, seen: messages.length }, at: at + 905 })
  }
  add({ kind: 'end', at: (steps + 1) * 1000, output: { done: true } })
  return `${lines.join('\n')}\n`
}

function request(messages: readonly object[]): object {
  return {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    headers: [],
    json: { model: 'gpt-4.1', stream: true, messages: [...messages] },
  }
}

function piecesOf(text: string, id: string): string[] {
  const event = (delta: object): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 'gpt-4.1', choices: [{ index: 0, delta }] })}\n\n`
  const parts = text.match(/.{1,200}/gs) ?? []
  const call = { index: 0, id, function: { name: 'look_up', arguments: '{"page":1}' } }
  return [...parts.map((content) => event({ content })), event({ tool_calls: [call] }), 'data: [DONE]\n\n']
}

const vocabulary = 'the order was sent on monday and the customer asks for a refund of the lamp that arrived broken in its box'.split(' ')

/** Returns words in an order that no other call has. */
function wordsOf(length: number, seed: number): string {
  const words: string[] = []
  for (let size = 0, state = seed * 7919 + 1; size < length; size += (words.at(-1)?.length ?? 0) + 1) {
    state = (state * 48_271) % 2_147_483_647
    words.push(`${vocabulary[state % vocabulary.length]}${state % 97}`)
  }
  return words.join(' ')
}

const header: RunRow = {
  kind: 'run',
  format: FORMAT_VERSION,
  id: '20261121-021400000-0a0b0c0d',
  traceId: 'fa951f9854592ab43629f1584ab5beb6',
  agent: 'support',
  input: { ticket: 'Where is ord_1?' },
  startedAt: '2026-11-21T02:14:00.000Z',
  runtime: { node: '24.0.0', goldenrun: '0.1.0', timeZone: 'UTC', locale: 'en-US', env: {} },
  contracts: { models: [], systemPrompts: [], tools: {} },
  fidelity: 'wire',
  redaction: { rules: [], standIns: 0 },
}
