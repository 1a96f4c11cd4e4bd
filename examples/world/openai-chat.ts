import { contentText, isJsonObject, type JsonObject, toObjects, toText } from './json.ts'
import type { NormalConversation, NormalMessage, NormalTool, NormalToolCall } from './normal-request.ts'
import { openaiError } from './openai-error.ts'
import type { Reply } from './reply.ts'
import { dataEvent } from './server-sent-event.ts'
import type { TurnUsage } from './turn.ts'
import type { Wire } from './wire.ts'

/** OpenAI chat completions. */
export const openaiChat: Wire = {
  dialect: 'openai.chat',
  path: '/chat/completions',
  toolCallPrefix: 'call',
  requestIdHeader: 'x-request-id',
  read,
  answerId,
  answer,
  events,
  error: openaiError,
}

function read(json: JsonObject): NormalConversation {
  const messages = toObjects(json['messages'])
  return {
    model: toText(json['model']),
    stream: json['stream'] === true,
    system: messages.filter(isSystem).map((message) => contentText(message['content'])),
    messages: messages.filter((message) => !isSystem(message)).map(toMessage),
    tools: toObjects(json['tools']).map(toTool),
  }
}

function isSystem(message: JsonObject): boolean {
  return message['role'] === 'system' || message['role'] === 'developer'
}

function toMessage(message: JsonObject): NormalMessage {
  const text = contentText(message['content'])
  if (message['role'] === 'tool') return { role: 'tool', text, toolCallId: toText(message['tool_call_id']) }
  if (message['role'] !== 'assistant') return { role: 'user', text }
  const toolCalls = toObjects(message['tool_calls']).map(toToolCall)
  return { role: 'assistant', text, ...(toolCalls.length > 0 && { toolCalls }) }
}

function toToolCall(call: JsonObject): NormalToolCall {
  const target = isJsonObject(call['function']) ? call['function'] : {}
  return { id: toText(call['id']), name: toText(target['name']), argumentsText: toText(target['arguments']) }
}

function toTool(tool: JsonObject): NormalTool {
  const target = isJsonObject(tool['function']) ? tool['function'] : {}
  const description = target['description']
  return { name: toText(target['name']), ...(typeof description === 'string' && { description }), schema: target['parameters'] }
}

function answerId(reply: Reply): string {
  return `chatcmpl-${reply.ordinal}`
}

function answer(reply: Reply): unknown {
  return {
    id: answerId(reply),
    object: 'chat.completion',
    created: reply.created,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text ?? null,
          ...(reply.toolCalls.length > 0 && {
            tool_calls: reply.toolCalls.map((call) => toWireCall(call.id, call.name, call.argumentsText)),
          }),
          refusal: null,
        },
        logprobs: null,
        finish_reason: finishReason(reply),
      },
    ],
    usage: toWireUsage(reply.usage),
    service_tier: 'default',
    system_fingerprint: 'fp_local',
  }
}

/** The usage chunk comes only where the request asks for it; the others then carry `usage: null`. */
function events(reply: Reply, json: JsonObject): string[] {
  const options = json['stream_options']
  const withUsage = isJsonObject(options) && options['include_usage'] === true
  const event = (choices: readonly unknown[], usage: unknown): string =>
    dataEvent({
      id: answerId(reply),
      object: 'chat.completion.chunk',
      created: reply.created,
      model: reply.model,
      service_tier: 'default',
      system_fingerprint: 'fp_local',
      choices,
      ...(withUsage && { usage }),
    })
  const delta = (part: unknown, finish: string | null = null): string =>
    event([{ index: 0, delta: part, logprobs: null, finish_reason: finish }], null)

  return [
    delta({ role: 'assistant', content: reply.text === undefined ? null : '', refusal: null }),
    ...reply.pieces.map((content) => delta({ content })),
    ...reply.toolCalls.flatMap((call, index) => [
      delta({ tool_calls: [{ index, ...toWireCall(call.id, call.name, '') }] }),
      ...call.pieces.map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    delta({}, finishReason(reply)),
    ...(withUsage ? [event([], toWireUsage(reply.usage))] : []),
    'data: [DONE]\n\n',
  ]
}

function toWireCall(id: string, name: string, argumentsText: string): object {
  return { id, type: 'function', function: { name, arguments: argumentsText } }
}

function finishReason(reply: Reply): string {
  return reply.toolCalls.length > 0 ? 'tool_calls' : 'stop'
}

function toWireUsage(usage: TurnUsage): object {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
  }
}
