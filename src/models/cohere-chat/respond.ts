import type { AnswerSpec, ModelResponse } from '../dialect.ts'
import type { JsonRecord } from '../json-fields.ts'
import { eventStreamResponse, jsonResponse, toMadeAnswer, type MadeAnswer, type MadeToolCall } from '../made-answer.ts'
import { writeEvent } from '../server-sent-events.ts'
import { readCohereRequest } from './request.ts'

const NO_USAGE = { billed_units: { input_tokens: 0, output_tokens: 0 }, tokens: { input_tokens: 0, output_tokens: 0 } }

/** Makes an answer, or its events: framed as Cohere frames them. Reasoning is the plan of an answer with tool calls, else a thought. */
export function makeCohereAnswer(spec: AnswerSpec, json: unknown, url: string): ModelResponse {
  const request = readCohereRequest(json, url)
  const answer = toMadeAnswer(spec, request, 'call')
  const id = `goldenrun_${answer.turn}`
  const end = { finish_reason: answer.toolCalls.length > 0 ? 'TOOL_CALL' : 'COMPLETE', usage: NO_USAGE }
  if (!request.stream) return jsonResponse({ id, message: messageOf(answer), ...end })
  const start = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
  const events: readonly JsonRecord[] = [
    { id, type: 'message-start', delta: { message: start } },
    ...(planOf(answer) === undefined ? [] : [{ type: 'tool-plan-delta', delta: { message: { tool_plan: planOf(answer) } } }]),
    ...contentOf(answer).flatMap(contentEvents),
    ...answer.toolCalls.flatMap(toolCallEvents),
    { type: 'message-end', delta: end },
  ]
  return eventStreamResponse([...events.map((event) => writeEvent(event, String(event['type']))), writeEvent('[DONE]')])
}

function messageOf(answer: MadeAnswer): JsonRecord {
  const content = contentOf(answer)
  return {
    role: 'assistant',
    ...(planOf(answer) !== undefined && { tool_plan: planOf(answer) }),
    ...(content.length > 0 && { content: content.map(({ type, text }) => ({ type, [type]: text })) }),
    ...(answer.toolCalls.length > 0 && {
      tool_calls: answer.toolCalls.map(({ id, name, argsText }) => ({ id, type: 'function', function: { name, arguments: argsText } })),
    }),
  }
}

interface MadeContent {
  readonly type: 'text' | 'thinking'
  readonly text: string
}

function contentOf(answer: MadeAnswer): readonly MadeContent[] {
  const { text, reasoning, toolCalls } = answer
  return [
    ...(reasoning === '' || planOf(answer) !== undefined ? [] : [{ type: 'thinking', text: reasoning } as const]),
    ...(text === '' && toolCalls.length > 0 ? [] : [{ type: 'text', text } as const]),
  ]
}

function planOf({ reasoning, toolCalls }: MadeAnswer): string | undefined {
  return reasoning !== '' && toolCalls.length > 0 ? reasoning : undefined
}

function contentEvents({ type, text }: MadeContent, index: number): readonly JsonRecord[] {
  return [
    { type: 'content-start', index, delta: { message: { content: { type, [type]: '' } } } },
    { type: 'content-delta', index, delta: { message: { content: { [type]: text } } } },
    { type: 'content-end', index },
  ]
}

function toolCallEvents({ id, name, argsText }: MadeToolCall, index: number): readonly JsonRecord[] {
  const start = { id, type: 'function', function: { name, arguments: '' } }
  return [
    { type: 'tool-call-start', index, delta: { message: { tool_calls: start } } },
    { type: 'tool-call-delta', index, delta: { message: { tool_calls: { function: { arguments: argsText } } } } },
    { type: 'tool-call-end', index },
  ]
}
