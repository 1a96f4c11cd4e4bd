import { anthropicError } from './anthropic-error.ts'
import { contentText, type JsonObject, toObjects, toText } from './json.ts'
import type { NormalConversation, NormalMessage, NormalTool, NormalToolCall } from './normal-request.ts'
import type { Reply } from './reply.ts'
import { typedEvent } from './server-sent-event.ts'
import type { Wire } from './wire.ts'

/** Anthropic messages. */
export const anthropicMessages: Wire = {
  dialect: 'anthropic.messages',
  path: '/messages',
  toolCallPrefix: 'toolu',
  requestIdHeader: 'request-id',
  read,
  answerId,
  answer,
  events,
  error: anthropicError,
}

function read(json: JsonObject): NormalConversation {
  const system = contentText(json['system'])
  return {
    model: toText(json['model']),
    stream: json['stream'] === true,
    system: system === '' ? [] : [system],
    messages: toObjects(json['messages']).flatMap(toMessages),
    tools: toObjects(json['tools']).map(toTool),
  }
}

/** Tool results are blocks of a user's message here: each becomes a message of its own, before what the user says. */
function toMessages(message: JsonObject): NormalMessage[] {
  const blocks = toObjects(message['content'])
  const text = contentText(message['content'])
  if (message['role'] === 'assistant') {
    const toolCalls = blocks.filter((block) => block['type'] === 'tool_use').map(toToolCall)
    return [{ role: 'assistant', text, ...(toolCalls.length > 0 && { toolCalls }) }]
  }
  const results = blocks
    .filter((block) => block['type'] === 'tool_result')
    .map((block): NormalMessage => ({ role: 'tool', text: contentText(block['content']), toolCallId: toText(block['tool_use_id']) }))
  return results.length > 0 && text === '' ? results : [...results, { role: 'user', text }]
}

function toToolCall(block: JsonObject): NormalToolCall {
  return { id: toText(block['id']), name: toText(block['name']), argumentsText: JSON.stringify(block['input']) }
}

function toTool(tool: JsonObject): NormalTool {
  const description = tool['description']
  return { name: toText(tool['name']), ...(typeof description === 'string' && { description }), schema: tool['input_schema'] }
}

function answerId(reply: Reply): string {
  return `msg_${reply.ordinal}`
}

function answer(reply: Reply): unknown {
  const text = hasText(reply) ? [{ type: 'text', text: reply.text }] : []
  const toolCalls = reply.toolCalls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.args }))
  return toWireMessage(reply, [...text, ...toolCalls], stopReason(reply), reply.usage.outputTokens)
}

/** An empty text is no block: the API refuses one in a request, and answers none. */
function hasText(reply: Reply): boolean {
  return reply.text !== undefined && reply.text !== ''
}

function toWireMessage(reply: Reply, content: readonly unknown[], stop: string | null, outputTokens: number): object {
  return {
    id: answerId(reply),
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: { ...inputUsage(reply), output_tokens: outputTokens, service_tier: 'standard' },
  }
}

function inputUsage(reply: Reply): object {
  return { input_tokens: reply.usage.inputTokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
}

/** The first event reports one output token, the last but one the true count, as the API does. */
function events(reply: Reply): string[] {
  const textBlock = hasText(reply)
    ? [
        printBlock(
          { type: 'text', text: '' },
          reply.pieces.map((text) => ({ type: 'text_delta', text })),
        ),
      ]
    : []
  const toolBlocks = reply.toolCalls.map((call) =>
    printBlock(
      { type: 'tool_use', id: call.id, name: call.name, input: {} },
      ['', ...call.pieces].map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    ),
  )
  return [
    typedEvent({ type: 'message_start', message: toWireMessage(reply, [], null, 1) }),
    ...[...textBlock, ...toolBlocks].flatMap((print, index) => print(index)),
    typedEvent({
      type: 'message_delta',
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { ...inputUsage(reply), output_tokens: reply.usage.outputTokens },
    }),
    typedEvent({ type: 'message_stop' }),
  ]
}

/** A ping follows the start of the first block, where the API sends its first. */
function printBlock(start: object, deltas: readonly object[]): (index: number) => string[] {
  return (index) => [
    typedEvent({ type: 'content_block_start', index, content_block: start }),
    ...(index === 0 ? [typedEvent({ type: 'ping' })] : []),
    ...deltas.map((delta) => typedEvent({ type: 'content_block_delta', index, delta })),
    typedEvent({ type: 'content_block_stop', index }),
  ]
}

function stopReason(reply: Reply): string {
  return reply.toolCalls.length > 0 ? 'tool_use' : 'end_turn'
}
