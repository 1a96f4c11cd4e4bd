import { errorOf, unreadable, type AnswerContent } from '../answer-body.ts'
import type { NormalAnswer, NormalToolCall, NormalUsage, StopReason } from '../dialect.ts'
import { isRecord, numberOf, recordOf, recordsOf, textOf, type JsonRecord } from '../json-fields.ts'
import { parseArguments } from '../tool-arguments.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { assembleConversed } from './assemble.ts'

/** @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
const STOP_REASONS = new Map<unknown, StopReason>([
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'refused'],
  ['content_filtered', 'refused'],
])

/** Reads an answer, or puts the events of its stream together. */
export function readConverseAnswer(content: AnswerContent): NormalAnswer {
  const answer = content.kind === 'json' ? recordOf(content.json) : assembleConversed(content.events.map(recordOf))
  const message = recordOf(answer['output'])['message']
  const blocks = recordsOf(recordOf(message)['content'])
  const reason = textOf(answer['stopReason'])
  return withoutUndefined<NormalAnswer>({
    text: blocks.map((block) => textOf(block['text']) ?? '').join(''),
    reasoning: textOf(blocks.map(reasoningOf).join('')),
    toolCalls: blocks.filter((block) => isRecord(block['toolUse'])).map(({ toolUse }) => readToolUse(recordOf(toolUse))),
    stopReason: reason === undefined ? undefined : (STOP_REASONS.get(reason) ?? 'other'),
    usage: readUsage(recordOf(answer['usage'])),
    error: errorOf(answer) ?? (isRecord(message) ? undefined : unreadable(answer)),
  })
}

function reasoningOf(block: JsonRecord): string {
  return textOf(recordOf(recordOf(block['reasoningContent'])['reasoningText'])['text']) ?? ''
}

/** In a stream the input comes as text, which `assembleConversed` keeps as `inputText`. */
function readToolUse({ toolUseId, name, input, inputText }: JsonRecord): NormalToolCall {
  const argsText = textOf(inputText)
  return withoutUndefined<NormalToolCall>({
    id: textOf(toolUseId),
    name: textOf(name) ?? '',
    args: argsText === undefined ? (input ?? {}) : parseArguments(argsText),
    argsText,
  })
}

/** As Anthropic's, `inputTokens` leaves out what was read from and written to the cache. Nova, when it is invoked, has names of its own. */
function readUsage(usage: JsonRecord): NormalUsage | undefined {
  const [input, output] = [numberOf(usage['inputTokens']), numberOf(usage['outputTokens'])]
  if (input === undefined && output === undefined) return undefined
  const read = numberOf(usage['cacheReadInputTokens']) ?? numberOf(usage['cacheReadInputTokenCount'])
  const written = numberOf(usage['cacheWriteInputTokens']) ?? numberOf(usage['cacheWriteInputTokenCount'])
  return withoutUndefined<NormalUsage>({
    inputTokens: (input ?? 0) + (read ?? 0) + (written ?? 0),
    outputTokens: output ?? 0,
    cacheReadTokens: read,
    cacheWriteTokens: written,
  })
}
