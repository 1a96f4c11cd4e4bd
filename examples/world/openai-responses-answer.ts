import type { JsonObject } from './json.ts'
import type { Reply, ReplyToolCall } from './reply.ts'
import { typedEvent, type TypedData } from './server-sent-event.ts'

/** The id of an answer: the API knows it again as `previous_response_id`. */
export function responseId(reply: Reply): string {
  return `resp_${reply.ordinal}`
}

/** A response object: what the API echoes of a request, with the values that stand where the request is silent. */
export function printResponse(reply: Reply, json: JsonObject, status: 'in_progress' | 'completed'): object {
  const done = status === 'completed'
  const { inputTokens, outputTokens } = reply.usage
  return {
    id: responseId(reply),
    object: 'response',
    created_at: reply.created,
    status,
    background: false,
    completed_at: done ? reply.created : null,
    error: null,
    incomplete_details: null,
    instructions: json['instructions'] ?? null,
    max_output_tokens: json['max_output_tokens'] ?? null,
    max_tool_calls: null,
    model: reply.model,
    output: done ? toItems(reply).map((item) => item.done) : [],
    parallel_tool_calls: json['parallel_tool_calls'] ?? true,
    previous_response_id: json['previous_response_id'] ?? null,
    reasoning: json['reasoning'] ?? { effort: null, summary: null },
    service_tier: 'default',
    store: json['store'] ?? true,
    temperature: json['temperature'] ?? 1,
    text: json['text'] ?? { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: json['tool_choice'] ?? 'auto',
    tools: json['tools'] ?? [],
    top_logprobs: 0,
    top_p: json['top_p'] ?? 1,
    truncation: 'disabled',
    usage: done
      ? {
          input_tokens: inputTokens,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: outputTokens,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: inputTokens + outputTokens,
        }
      : null,
    user: null,
    metadata: json['metadata'] ?? {},
  }
}

/** A streamed answer. Every event carries its number; there is no `[DONE]` here. */
export function printResponseEvents(reply: Reply, json: JsonObject): string[] {
  const begun = printResponse(reply, json, 'in_progress')
  const parts: TypedData[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...toItems(reply).flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item: item.begun },
      ...item.events.map((event) => ({ ...event, output_index: index })),
      { type: 'response.output_item.done', output_index: index, item: item.done },
    ]),
    { type: 'response.completed', response: printResponse(reply, json, 'completed') },
  ]
  return parts.map((part, index) => typedEvent({ ...part, sequence_number: index }))
}

/** An item of an answer's output, and the events that stream what is in it; their place and number are added where they are sent. */
interface OutputItem {
  readonly begun: object
  readonly done: object
  readonly events: readonly TypedData[]
}

function toItems(reply: Reply): OutputItem[] {
  const text = reply.text === undefined ? [] : [toTextItem(reply, reply.text)]
  return [...text, ...reply.toolCalls.map((call, index) => toCallItem(call, `fc_${reply.turn}_${index + 1}`))]
}

function toTextItem(reply: Reply, text: string): OutputItem {
  const id = `msg_${reply.turn}_1`
  const item = (status: string, content: readonly unknown[]): object => ({ id, type: 'message', status, content, role: 'assistant' })
  const part = (content: string): object => ({ type: 'output_text', annotations: [], logprobs: [], text: content })
  const place = { content_index: 0, item_id: id }
  return {
    begun: item('in_progress', []),
    done: item('completed', [part(text)]),
    events: [
      { type: 'response.content_part.added', ...place, part: part('') },
      ...reply.pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...place, logprobs: [], text },
      { type: 'response.content_part.done', ...place, part: part(text) },
    ],
  }
}

function toCallItem(call: ReplyToolCall, id: string): OutputItem {
  const item = (status: string, printed: string): object => ({
    id,
    type: 'function_call',
    status,
    arguments: printed,
    call_id: call.id,
    name: call.name,
  })
  const place = { item_id: id }
  return {
    begun: item('in_progress', ''),
    done: item('completed', call.argumentsText),
    events: [
      ...call.pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
      { type: 'response.function_call_arguments.done', ...place, arguments: call.argumentsText, name: call.name },
    ],
  }
}
