import { errorOf, unreadable, type AnswerContent } from '../answer-body.ts'
import type { NormalAnswer, NormalUsage, StopReason } from '../dialect.ts'
import { numberOf, recordOf, recordsOf, textOf, type JsonRecord } from '../json-fields.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { assembleResponse } from './assemble.ts'
import { isToolCall, readToolItem } from './tool-items.ts'

/** Reads a response, or puts the events of its stream together. */
export function readResponsesAnswer(content: AnswerContent): NormalAnswer {
  return readResponse(content.kind === 'json' ? recordOf(content.json) : assembleResponse(content.events.map(recordOf)))
}

function readResponse(response: JsonRecord): NormalAnswer {
  const items = recordsOf(response['output'])
  const toolCalls = items.filter(isToolCall).map(readToolItem)
  const isResponse = Array.isArray(response['output']) || response['object'] === 'response'
  return withoutUndefined<NormalAnswer>({
    model: textOf(response['model']),
    text: contentText(items, 'output_text', 'text'),
    reasoning: textOf(
      items
        .filter(({ type }) => type === 'reasoning')
        .map(reasoningText)
        .join(''),
    ),
    refusal: textOf(contentText(items, 'refusal', 'refusal')),
    toolCalls,
    stopReason: stopReasonOf(response, toolCalls.length > 0),
    usage: usageOf(response['usage']),
    error: errorOf(response) ?? (isResponse ? undefined : unreadable(response)),
  })
}

function contentText(items: readonly JsonRecord[], type: string, field: string): string {
  const parts = items.filter((item) => item['type'] === 'message').flatMap((item) => recordsOf(item['content']))
  return parts.map((part) => (part['type'] === type ? (textOf(part[field]) ?? '') : '')).join('')
}

/** Reasoning comes as summaries from OpenAI, in full from others. */
function reasoningText(item: JsonRecord): string {
  const content = recordsOf(item['content'])
  return (content.length > 0 ? content : recordsOf(item['summary'])).map((part) => textOf(part['text']) ?? '').join('')
}

function stopReasonOf(response: JsonRecord, callsTools: boolean): StopReason | undefined {
  if (response['status'] === 'completed') return callsTools ? 'tool-calls' : 'end'
  if (response['status'] === 'incomplete') {
    const reason = recordOf(response['incomplete_details'])['reason']
    return reason === 'max_output_tokens' ? 'length' : reason === 'content_filter' ? 'refused' : 'other'
  }
  return undefined
}

function usageOf(usage: unknown): NormalUsage | undefined {
  const record = recordOf(usage)
  const [inputTokens, outputTokens] = [numberOf(record['input_tokens']), numberOf(record['output_tokens'])]
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return withoutUndefined<NormalUsage>({
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cacheReadTokens: numberOf(recordOf(record['input_tokens_details'])['cached_tokens']),
    reasoningTokens: numberOf(recordOf(record['output_tokens_details'])['reasoning_tokens']),
  })
}
