import type { AnswerSpec, ModelResponse } from '../dialect.ts'
import type { JsonRecord } from '../json-fields.ts'
import { jsonResponse, toMadeAnswer, type MadeAnswer } from '../made-answer.ts'
import { readOllamaRequest } from './request.ts'

const NO_USAGE = { total_duration: 0, load_duration: 0, prompt_eval_count: 0, prompt_eval_duration: 0, eval_count: 0, eval_duration: 0 }

/** Makes an answer, or its lines: framed as Ollama frames them. */
export function makeOllamaAnswer(spec: AnswerSpec, json: unknown, url: string): ModelResponse {
  const request = readOllamaRequest(json, url)
  const answer = toMadeAnswer(spec, request, 'call')
  const common = { model: request.model, created_at: '1970-01-01T00:00:00Z' }
  const end = { done_reason: 'stop', done: true, ...NO_USAGE }
  const fields = fieldsOf(answer)
  if (!request.stream) return jsonResponse({ ...common, message: messageOf(Object.assign({}, ...fields)), ...end })
  const lines = [...fields.map((field) => ({ message: messageOf(field), done: false })), { message: messageOf({}), ...end }]
  return {
    status: 200,
    headers: [['content-type', 'application/x-ndjson']],
    body: lines.map((line) => `${JSON.stringify({ ...common, ...line })}\n`).join(''),
  }
}

function messageOf(fields: JsonRecord): JsonRecord {
  return { role: 'assistant', content: '', ...fields }
}

function fieldsOf({ text, reasoning, toolCalls }: MadeAnswer): readonly JsonRecord[] {
  return [
    ...(reasoning === '' ? [] : [{ thinking: reasoning }]),
    ...(text === '' ? [] : [{ content: text }]),
    ...(toolCalls.length === 0
      ? []
      : [{ tool_calls: toolCalls.map(({ id, name, args }) => ({ id, function: { name, arguments: args } })) }]),
  ]
}
