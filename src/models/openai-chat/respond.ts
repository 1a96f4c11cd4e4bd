import type { AnswerSpec, ModelResponse, NormalRequest } from '../dialect.ts'
import { recordOf } from '../json-fields.ts'
import { eventStreamResponse, jsonResponse, type MadeAnswer, toMadeAnswer } from '../made-answer.ts'
import { writeEvent } from '../server-sent-events.ts'

const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

/**
 * Makes a chat completion, or its chunks, framed as OpenAI frames them, with a usage chunk only if the request asks for one. Reasoning goes
 * into `reasoning_content`, like DeepSeek's, which clients that support reasoning read.
 */
export function makeChatAnswer(spec: AnswerSpec, request: NormalRequest, json: unknown): ModelResponse {
  const answer = toMadeAnswer(spec, request, 'call')
  const common = { id: `chatcmpl_goldenrun_${answer.turn}`, created: 0, model: request.model }
  if (!request.stream) return jsonResponse({ ...common, object: 'chat.completion', choices: [choiceOf(answer)], usage: NO_USAGE })
  const withUsage = recordOf(recordOf(json)['stream_options'])['include_usage'] === true
  const chunk = (choices: readonly unknown[], usage: unknown): string =>
    writeEvent({ ...common, object: 'chat.completion.chunk', choices, ...(withUsage && { usage }) })
  const events = deltasOf(answer).map((delta) => chunk([{ index: 0, delta, logprobs: null, finish_reason: null }], null))
  events.push(chunk([{ index: 0, delta: {}, logprobs: null, finish_reason: finishReason(answer) }], null))
  if (withUsage) events.push(chunk([], NO_USAGE))
  return eventStreamResponse([...events, writeEvent('[DONE]')])
}

function choiceOf(answer: MadeAnswer): unknown {
  const toolCalls = answer.toolCalls.map(({ id, name, argsText }) => ({ id, type: 'function', function: { name, arguments: argsText } }))
  return {
    index: 0,
    message: {
      role: 'assistant',
      content: contentOf(answer),
      refusal: null,
      ...(answer.reasoning !== '' && { reasoning_content: answer.reasoning }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    },
    logprobs: null,
    finish_reason: finishReason(answer),
  }
}

function deltasOf(answer: MadeAnswer): readonly unknown[] {
  const start = { role: 'assistant', content: contentOf(answer) === null ? null : '', refusal: null }
  const said = [answer.reasoning !== '' && { reasoning_content: answer.reasoning }, answer.text !== '' && { content: answer.text }]
  const calls = answer.toolCalls.flatMap(({ id, name, argsText }, index) => [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    { tool_calls: [{ index, function: { arguments: argsText } }] },
  ])
  return [start, ...said.filter((delta) => delta !== false), ...calls]
}

/** An answer that only calls tools has no content. */
function contentOf(answer: MadeAnswer): string | null {
  return answer.text === '' && answer.toolCalls.length > 0 ? null : answer.text
}

function finishReason(answer: MadeAnswer): string {
  return answer.toolCalls.length > 0 ? 'tool_calls' : 'stop'
}
