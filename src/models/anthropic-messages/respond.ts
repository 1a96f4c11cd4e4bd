import type { AnswerSpec, ModelResponse } from '../dialect.ts'
import type { JsonRecord } from '../json-fields.ts'
import { eventStreamResponse, jsonResponse, toMadeAnswer, type MadeAnswer } from '../made-answer.ts'
import { writeEvent } from '../server-sent-events.ts'
import { readAnthropicRequest } from './request.ts'

const NO_USAGE = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

/** Makes a message, or its events: framed as Anthropic frames them. Reasoning goes into a thinking block with an empty signature. */
export function makeAnthropicAnswer(spec: AnswerSpec, json: unknown, url: string): ModelResponse {
  const request = readAnthropicRequest(json, url)
  const answer = toMadeAnswer(spec, request, 'toolu')
  const blocks = blocksOf(answer)
  const stop = { stop_reason: answer.toolCalls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null }
  const message = { id: `msg_goldenrun_${answer.turn}`, type: 'message', role: 'assistant', model: request.model }
  if (!request.stream) return jsonResponse({ ...message, content: blocks.map(({ whole }) => whole), ...stop, usage: NO_USAGE })
  const events: readonly JsonRecord[] = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: NO_USAGE } },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: stop, usage: { output_tokens: 0 } },
    { type: 'message_stop' },
  ]
  return eventStreamResponse(events.map((event) => writeEvent(event, String(event['type']))))
}

/** A content block as it is in a message, as it starts in a stream, and what is added to it there. */
interface MadeBlock {
  readonly whole: JsonRecord
  readonly start: JsonRecord
  readonly deltas: readonly JsonRecord[]
}

function blocksOf({ text, reasoning, toolCalls }: MadeAnswer): readonly MadeBlock[] {
  return [
    ...(reasoning === '' ? [] : [thinkingBlock(reasoning)]),
    ...(text === '' ? [] : [textBlock(text)]),
    ...toolCalls.map(({ id, name, args, argsText }) => {
      const block = { type: 'tool_use', id, name }
      const deltas = [{ type: 'input_json_delta', partial_json: argsText }]
      return { whole: { ...block, input: args }, start: { ...block, input: {} }, deltas }
    }),
  ]
}

function textBlock(text: string): MadeBlock {
  const block = { type: 'text', citations: null }
  return { whole: { ...block, text }, start: { ...block, text: '' }, deltas: [{ type: 'text_delta', text }] }
}

function thinkingBlock(thinking: string): MadeBlock {
  const block = { type: 'thinking', signature: '' }
  return { whole: { ...block, thinking }, start: { ...block, thinking: '' }, deltas: [{ type: 'thinking_delta', thinking }] }
}
