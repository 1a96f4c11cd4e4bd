import { fromBase64 } from '../../trace/base64.ts'
import { readAnthropicAnswer } from '../anthropic-messages/answer.ts'
import { eventsOf, type AnswerContent } from '../answer-body.ts'
import { readConverseAnswer } from '../bedrock-converse/answer.ts'
import type { NormalAnswer } from '../dialect.ts'
import { parseJson, recordOf, textOf } from '../json-fields.ts'
import { readChatAnswer } from '../openai-chat/answer.ts'

/** Reads an answer in the form of the model that gave it. */
export function readInvokedAnswer(content: AnswerContent): NormalAnswer {
  const own: AnswerContent = content.kind === 'json' ? content : { kind: 'events', events: content.events.map(readChunk) }
  const names = new Set(eventsOf(own).flatMap((event) => Object.keys(recordOf(event))))
  if (names.has('choices')) return readChatAnswer(own)
  return ['output', 'messageStart', 'contentBlockDelta', 'messageStop'].some((name) => names.has(name))
    ? readConverseAnswer(own)
    : readAnthropicAnswer(own)
}

/** The model's own event, which stands as base64 in one of Bedrock's; an error is Bedrock's. */
function readChunk(event: unknown): unknown {
  const bytes = textOf(recordOf(recordOf(event)['chunk'])['bytes'])
  if (bytes === undefined) return event
  const json = parseJson(new TextDecoder().decode(fromBase64(bytes)))
  return json.ok ? json.value : event
}
