import { errorOf, unreadable, type AnswerContent } from '../answer-body.ts'
import type { NormalAnswer, NormalUsage, StopReason } from '../dialect.ts'
import { isRecord, numberOf, recordOf, recordsOf, textOf, type JsonRecord } from '../json-fields.ts'
import { readChatToolCall } from '../openai-chat/tool-call.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { assembleCohere } from './assemble.ts'

const STOP_REASONS = new Map<unknown, StopReason>([
  ['COMPLETE', 'end'],
  ['STOP_SEQUENCE', 'end'],
  ['TOOL_CALL', 'tool-calls'],
  ['MAX_TOKENS', 'length'],
  ['ERROR_LIMIT', 'length'],
  ['ERROR_TOXIC', 'refused'],
])

/** Reads an answer, or puts the events of its stream together. The plan that a model makes before it calls tools is reasoning. */
export function readCohereAnswer(content: AnswerContent): NormalAnswer {
  const answer = content.kind === 'json' ? recordOf(content.json) : assembleCohere(content.events.map(recordOf))
  const message = recordOf(answer['message'])
  const said = message['content']
  const blocks = typeof said === 'string' ? [{ type: 'text', text: said }] : recordsOf(said)
  const thought = blocks.map((block) => textOf(recordOf(block)['thinking']) ?? '').join('')
  const reason = textOf(answer['finish_reason'])
  return withoutUndefined<NormalAnswer>({
    text: blocks.map((block) => textOf(recordOf(block)['text']) ?? '').join(''),
    reasoning: textOf(thought + (textOf(message['tool_plan']) ?? '')),
    toolCalls: recordsOf(message['tool_calls']).map(readChatToolCall),
    stopReason: reason === undefined ? undefined : (STOP_REASONS.get(reason) ?? 'other'),
    usage: readUsage(recordOf(answer['usage'])),
    error: errorOf(answer) ?? (isRecord(answer['message']) ? undefined : unreadable(answer)),
  })
}

/** `tokens` counts what the model read and wrote, `billed_units` what is paid for. */
function readUsage(usage: JsonRecord): NormalUsage | undefined {
  const counts = recordOf(usage['tokens'] ?? usage['billed_units'])
  const [input, output] = [numberOf(counts['input_tokens']), numberOf(counts['output_tokens'])]
  if (input === undefined && output === undefined) return undefined
  return withoutUndefined<NormalUsage>({
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    cacheReadTokens: numberOf(usage['cached_tokens']),
  })
}
