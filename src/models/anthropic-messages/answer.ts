import { errorOf, unreadable, type AnswerContent } from '../answer-body.ts'
import type { NormalAnswer, NormalToolCall, NormalUsage, StopReason } from '../dialect.ts'
import { numberOf, recordOf, recordsOf, textOf, type JsonRecord } from '../json-fields.ts'
import { parseArguments } from '../tool-arguments.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { assembleMessage } from './assemble.ts'

/** @see https://docs.anthropic.com/en/api/handling-stop-reasons */
const STOP_REASONS = new Map<unknown, StopReason>([
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refused'],
  ['pause_turn', 'paused'],
])

/** Reads a message, or puts the events of its stream together. */
export function readAnthropicAnswer(content: AnswerContent): NormalAnswer {
  return readMessage(content.kind === 'json' ? recordOf(content.json) : assembleMessage(content.events.map(recordOf)))
}

function readMessage(message: JsonRecord): NormalAnswer {
  const blocks = recordsOf(message['content'])
  const textOfBlocks = (type: string): string => blocks.map((block) => (block['type'] === type ? (textOf(block[type]) ?? '') : '')).join('')
  const reason = textOf(message['stop_reason'])
  return withoutUndefined<NormalAnswer>({
    model: textOf(message['model']),
    text: textOfBlocks('text'),
    reasoning: textOf(textOfBlocks('thinking')),
    toolCalls: blocks.filter((block) => block['type'] === 'tool_use').map(readToolUse),
    stopReason: reason === undefined ? undefined : (STOP_REASONS.get(reason) ?? 'other'),
    usage: usageOf(message['usage']),
    error: errorOf(message) ?? (Array.isArray(message['content']) ? undefined : unreadable(message)),
  })
}

function readToolUse(block: JsonRecord): NormalToolCall {
  const argsText = textOf(block['input_json'])
  return withoutUndefined<NormalToolCall>({
    id: textOf(block['id']),
    name: textOf(block['name']) ?? '',
    args: argsText === undefined ? (block['input'] ?? {}) : parseArguments(argsText),
    argsText,
  })
}

/** Anthropic's `input_tokens` leaves out what was read from and written to the cache; ours counts all, as the other dialects do. */
function usageOf(usage: unknown): NormalUsage | undefined {
  const record = recordOf(usage)
  const [input, output] = [numberOf(record['input_tokens']), numberOf(record['output_tokens'])]
  if (input === undefined && output === undefined) return undefined
  const [read, written] = [numberOf(record['cache_read_input_tokens']), numberOf(record['cache_creation_input_tokens'])]
  return withoutUndefined<NormalUsage>({
    inputTokens: (input ?? 0) + (read ?? 0) + (written ?? 0),
    outputTokens: output ?? 0,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    reasoningTokens: numberOf(recordOf(record['output_tokens_details'])['thinking_tokens']),
  })
}
