import { errorOf, eventsOf, unreadable, type AnswerContent } from '../answer-body.ts'
import type { NormalAnswer, NormalError, NormalUsage, StopReason } from '../dialect.ts'
import { isRecord, recordOf, recordsOf, textOf, type JsonRecord } from '../json-fields.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { readChatToolCall } from './tool-call.ts'
import { addToolCallDelta } from './tool-call-deltas.ts'
import { readChatUsage } from './usage.ts'

/** `tool_calls` and the rest are OpenAI's; `model_length` is Mistral's, `eos` Together's. */
const STOP_REASONS = new Map<unknown, StopReason>([
  ['stop', 'end'],
  ['eos', 'end'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'refused'],
])

/** Reads a chat completion, or puts its chunks together: a chunk's `delta` and a completion's `message` have the same fields. */
export function readChatAnswer(content: AnswerContent): NormalAnswer {
  const answer = new ChatAnswer()
  for (const event of eventsOf(content)) answer.add(event)
  return answer.toNormal()
}

class ChatAnswer {
  #model: string | undefined
  #text = ''
  #reasoning = ''
  #refusal = ''
  #calls: JsonRecord[] = []
  #stopReason: StopReason | undefined
  #usage: NormalUsage | undefined
  #error: NormalError | undefined
  #isChat = false
  #other: unknown

  add(json: unknown): void {
    const record = recordOf(json)
    this.#error ??= errorOf(record)
    if (Array.isArray(record['choices'])) this.#isChat = true
    else this.#other ??= json
    this.#model ??= textOf(record['model'])
    this.#usage = readChatUsage(record) ?? this.#usage
    const choice = recordsOf(record['choices']).find(({ index }) => (index ?? 0) === 0)
    if (choice === undefined) return
    this.#addMessage(recordOf(choice['message'] ?? choice['delta']), isRecord(choice['message']))
    const reason = textOf(choice['finish_reason'])
    if (reason !== undefined) this.#stopReason = STOP_REASONS.get(reason) ?? 'other'
  }

  toNormal(): NormalAnswer {
    return withoutUndefined<NormalAnswer>({
      model: this.#model,
      text: this.#text,
      reasoning: textOf(this.#reasoning),
      refusal: textOf(this.#refusal),
      toolCalls: this.#calls.map(readChatToolCall),
      stopReason: this.#stopReason,
      usage: this.#usage,
      error: this.#error ?? (this.#isChat || this.#other === undefined ? undefined : unreadable(this.#other)),
    })
  }

  #addMessage(message: JsonRecord, whole: boolean): void {
    this.#addContent(message['content'])
    this.#reasoning += textOf(message['reasoning_content']) ?? textOf(message['reasoning']) ?? ''
    this.#refusal += textOf(message['refusal']) ?? ''
    const calls = recordsOf(message['tool_calls'])
    if (whole) this.#calls = [...calls]
    else for (const call of calls) addToolCallDelta(this.#calls, call)
    // The form that `tool_calls` replaced: one call, without an id.
    if (!isRecord(message['function_call'])) return
    if (whole) this.#calls.push({ function: message['function_call'] })
    else addToolCallDelta(this.#calls, { index: 0, function: message['function_call'] })
  }

  /** Mistral's reasoning models answer with parts instead of text. */
  #addContent(content: unknown): void {
    this.#text += textOf(content) ?? ''
    for (const part of recordsOf(content)) {
      if (part['type'] === 'text') this.#text += textOf(part['text']) ?? ''
      if (part['type'] !== 'thinking') continue
      this.#reasoning +=
        textOf(part['thinking']) ??
        recordsOf(part['thinking'])
          .map(({ text }) => textOf(text) ?? '')
          .join('')
    }
  }
}
