import type { AnswerSpec, ModelResponse, NormalRequest } from '../dialect.ts'
import type { JsonRecord } from '../json-fields.ts'
import { eventStreamResponse, jsonResponse, type MadeAnswer, toMadeAnswer } from '../made-answer.ts'
import { writeEvent } from '../server-sent-events.ts'

const NO_USAGE = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
}

/** Makes a response, or its events, framed as OpenAI frames them. Reasoning goes into a reasoning item's summary. */
export function makeResponsesAnswer(spec: AnswerSpec, request: NormalRequest, json: JsonRecord): ModelResponse {
  const answer = toMadeAnswer(spec, request, 'call', json['previous_response_id'])
  const items = itemsOf(answer)
  const response = responseOf(answer, request, json)
  const whole = { ...response, status: 'completed', output: items.map(({ item }) => item), usage: NO_USAGE }
  if (!request.stream) return jsonResponse(whole)
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  const events: readonly JsonRecord[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap(({ start, events: own, item }, index) => [
      { type: 'response.output_item.added', output_index: index, item: start },
      ...own.map((event) => ({ ...event, output_index: index, item_id: item['id'] })),
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    { type: 'response.completed', response: whole },
  ]
  return eventStreamResponse(events.map((event, number) => writeEvent({ ...event, sequence_number: number }, String(event['type']))))
}

function responseOf(answer: MadeAnswer, request: NormalRequest, json: JsonRecord): JsonRecord {
  return {
    id: `resp_goldenrun_${answer.turn}`,
    object: 'response',
    created_at: 0,
    error: null,
    incomplete_details: null,
    instructions: json['instructions'] ?? null,
    metadata: json['metadata'] ?? {},
    model: request.model,
    parallel_tool_calls: json['parallel_tool_calls'] ?? true,
    previous_response_id: json['previous_response_id'] ?? null,
    temperature: json['temperature'] ?? 1,
    text: json['text'] ?? { format: { type: 'text' } },
    tool_choice: json['tool_choice'] ?? 'auto',
    tools: json['tools'] ?? [],
    top_p: json['top_p'] ?? 1,
  }
}

/** An output item: its start, the events within it, and its end. */
interface MadeItem {
  readonly start: JsonRecord
  readonly events: readonly JsonRecord[]
  readonly item: JsonRecord
}

function itemsOf(answer: MadeAnswer): readonly MadeItem[] {
  const { turn, text, reasoning, toolCalls } = answer
  return [
    ...(reasoning === '' ? [] : [reasoningItem(`rs_goldenrun_${turn}`, reasoning)]),
    ...(text === '' && toolCalls.length > 0 ? [] : [messageItem(`msg_goldenrun_${turn}`, text)]),
    ...toolCalls.map((call, index) => {
      const common = { id: `fc_goldenrun_${turn}_${index + 1}`, type: 'function_call', call_id: call.id, name: call.name }
      return {
        start: { ...common, status: 'in_progress', arguments: '' },
        events: [
          { type: 'response.function_call_arguments.delta', delta: call.argsText },
          { type: 'response.function_call_arguments.done', arguments: call.argsText, name: call.name },
        ],
        item: { ...common, status: 'completed', arguments: call.argsText },
      }
    }),
  ]
}

function messageItem(id: string, text: string): MadeItem {
  const common = { id, type: 'message', role: 'assistant' }
  return {
    start: { ...common, status: 'in_progress', content: [] },
    events: [
      { type: 'response.content_part.added', content_index: 0, part: textPart('') },
      { type: 'response.output_text.delta', content_index: 0, delta: text, logprobs: [] },
      { type: 'response.output_text.done', content_index: 0, text, logprobs: [] },
      { type: 'response.content_part.done', content_index: 0, part: textPart(text) },
    ],
    item: { ...common, status: 'completed', content: [textPart(text)] },
  }
}

function reasoningItem(id: string, text: string): MadeItem {
  return {
    start: { id, type: 'reasoning', summary: [] },
    events: [
      { type: 'response.reasoning_summary_part.added', summary_index: 0, part: summaryPart('') },
      { type: 'response.reasoning_summary_text.delta', summary_index: 0, delta: text },
      { type: 'response.reasoning_summary_text.done', summary_index: 0, text },
      { type: 'response.reasoning_summary_part.done', summary_index: 0, part: summaryPart(text) },
    ],
    item: { id, type: 'reasoning', summary: [summaryPart(text)] },
  }
}

function textPart(text: string): JsonRecord {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function summaryPart(text: string): JsonRecord {
  return { type: 'summary_text', text }
}
