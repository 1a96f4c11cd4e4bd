import { contentText, type JsonObject, toObjects, toText } from './json.ts'
import type { NormalConversation, NormalMessage, NormalTool, NormalToolCall } from './normal-request.ts'
import { openaiError } from './openai-error.ts'
import { printResponse, printResponseEvents, responseId } from './openai-responses-answer.ts'
import type { Wire } from './wire.ts'

/** OpenAI responses. */
export const openaiResponses: Wire = {
  dialect: 'openai.responses',
  path: '/responses',
  toolCallPrefix: 'call',
  requestIdHeader: 'x-request-id',
  read,
  answerId: responseId,
  answer: (reply, json) => printResponse(reply, json, 'completed'),
  events: printResponseEvents,
  error: openaiError,
}

function read(json: JsonObject): NormalConversation {
  const items = typeof json['input'] === 'string' ? [{ role: 'user', content: json['input'] }] : toObjects(json['input'])
  const instructions = toText(json['instructions'])
  const continues = json['previous_response_id']
  return {
    model: toText(json['model']),
    stream: json['stream'] === true,
    system: [...(instructions === '' ? [] : [instructions]), ...items.filter(isSystem).map((item) => contentText(item['content']))],
    messages: toMessages(items.filter((item) => !isSystem(item))),
    tools: toObjects(json['tools']).map(toTool),
    ...(typeof continues === 'string' && { continues }),
  }
}

function isSystem(item: JsonObject): boolean {
  return item['role'] === 'system' || item['role'] === 'developer'
}

/** A turn of the model is several items here (reasoning, text, calls): those in a row become one message. */
function toMessages(items: readonly JsonObject[]): NormalMessage[] {
  const messages: NormalMessage[] = []
  for (const item of items) {
    const message = toMessage(item)
    const last = messages.at(-1)
    if (last?.role === 'assistant' && message.role === 'assistant') messages.splice(-1, 1, joinMessages(last, message))
    else messages.push(message)
  }
  return messages
}

function toMessage(item: JsonObject): NormalMessage {
  if (item['type'] === 'function_call_output')
    return { role: 'tool', text: contentText(item['output']), toolCallId: toText(item['call_id']) }
  if (item['type'] === 'function_call') return { role: 'assistant', text: '', toolCalls: [toToolCall(item)] }
  if (item['type'] === 'reasoning') return { role: 'assistant', text: '' }
  return { role: item['role'] === 'assistant' ? 'assistant' : 'user', text: contentText(item['content']) }
}

function joinMessages(first: NormalMessage, second: NormalMessage): NormalMessage {
  const toolCalls = [...(first.toolCalls ?? []), ...(second.toolCalls ?? [])]
  return { role: 'assistant', text: first.text + second.text, ...(toolCalls.length > 0 && { toolCalls }) }
}

function toToolCall(item: JsonObject): NormalToolCall {
  return { id: toText(item['call_id']), name: toText(item['name']), argumentsText: toText(item['arguments']) }
}

function toTool(tool: JsonObject): NormalTool {
  const description = tool['description']
  return { name: toText(tool['name']), ...(typeof description === 'string' && { description }), schema: tool['parameters'] }
}
