import { errorOf, eventsOf, unreadable, type AnswerContent } from '../answer-body.ts'
import type { NormalAnswer, NormalUsage, StopReason } from '../dialect.ts'
import { isRecord, numberOf, recordOf, recordsOf, textOf, type JsonRecord } from '../json-fields.ts'
import { readChatToolCall } from '../openai-chat/tool-call.ts'
import { withoutUndefined } from '../without-undefined.ts'

/** Reads an answer, or puts the lines of a stream together: each is an answer of its own with what is new. The last one counts the tokens. */
export function readOllamaAnswer(content: AnswerContent): NormalAnswer {
  const lines = eventsOf(content).map(recordOf)
  const messages = lines.map(({ message }) => recordOf(message))
  const textOfAll = (name: string): string => messages.map((message) => textOf(message[name]) ?? '').join('')
  const toolCalls = messages.flatMap((message) => recordsOf(message['tool_calls'])).map(readChatToolCall)
  const error = lines.map(errorOf).find((found) => found !== undefined)
  const other = lines.some(({ message }) => isRecord(message)) || lines.length === 0 ? undefined : unreadable(lines[0])
  const end = lines.find(({ done }) => done === true)
  return withoutUndefined<NormalAnswer>({
    model: lines.map(({ model }) => textOf(model)).find((model) => model !== undefined),
    text: textOfAll('content'),
    reasoning: textOf(textOfAll('thinking')),
    toolCalls,
    stopReason: end === undefined ? undefined : stopReasonOf(end, toolCalls.length > 0),
    usage: end === undefined ? undefined : readUsage(end),
    error: error ?? other,
  })
}

/** `stop` is what it says for tool calls too. Releases before 0.1.38 say nothing. */
function stopReasonOf({ done_reason }: JsonRecord, callsTools: boolean): StopReason {
  if (done_reason === 'length') return 'length'
  if (done_reason !== 'stop' && done_reason !== undefined) return 'other'
  return callsTools ? 'tool-calls' : 'end'
}

function readUsage(end: JsonRecord): NormalUsage | undefined {
  const [input, output] = [numberOf(end['prompt_eval_count']), numberOf(end['eval_count'])]
  return input === undefined && output === undefined ? undefined : { inputTokens: input ?? 0, outputTokens: output ?? 0 }
}
