import { type AnswerContent, eventsOf, readAnswer } from './answer-body.ts'
import type { Dialect, ModelResponse, NormalAnswer } from './dialect.ts'
import { recordOf, recordsOf, textOf } from './json-fields.ts'
import { modelInPath, urlPath, withModelInPath } from './url-path.ts'
import { anthropicMessages, readAnthropicAnswer } from './anthropic-messages.ts'
import { bedrockConverse, makeConversed, makeConverseEvents, readConverseAnswer } from './bedrock-converse.ts'
import { openaiChat, readChatAnswer } from './openai-chat.ts'
import { anthropicPlaces } from './edit/anthropic-places.ts'
import { chatPlaces } from './edit/chat-places.ts'
import { conversePlaces } from './edit/converse-places.ts'
import { editModelInPath } from './edit/edit-model.ts'
import { requestEditor, type RequestPlaces } from './edit/request-editor.ts'
import { recogniseDialect } from './recognise-dialect.ts'
import { fromBase64, toBase64 } from '../trace/base64.ts'
import { writeFrame } from './event-stream.ts'
import { framedResponse, jsonResponse, toMadeAnswer } from './made-answer.ts'
import { readEvents } from './server-sent-events.ts'
import { parseJson } from '../trace/json.ts'

/**
 * Amazon Bedrock's InvokeModel and InvokeModelWithResponseStream. The body has the model's own format: Anthropic's messages (Claude), Converse's
 * (Nova) or OpenAI's chat completions (the other chat models). The address names the model, and says whether the answer is a stream: an AWS event
 * stream with the model's own events.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
 */
export const bedrockInvoke: Dialect = {
  name: 'bedrock.invoke',
  request: (json, url) => {
    const request = familyOf(json).request(recordOf(json), url)
    return { ...request, model: modelInPath(url), stream: urlPath(url).endsWith('-stream') }
  },
  requestPart: (path, recorded, live) => familyOf(recorded).requestPart(path, recorded, live),
  renameToolCalls: (json, rename) => familyOf(json).renameToolCalls(json, rename),
  editRequest: (json, url, edit) => requestEditor('bedrock.invoke', invokedPlaces(familyOf(json)))(json, url, edit),
  answer: (body, contentType) => readAnswer(body, contentType, readInvokedAnswer),
  /** Makes an answer in the form of the requested model, with its stream in Bedrock's frames. */
  respond(spec, json, url) {
    const isStream = urlPath(url).endsWith('-stream')
    const family = familyOf(json)
    if (family === bedrockConverse) {
      const answer = toMadeAnswer(spec, bedrockConverse.request(json, url), 'tooluse')
      return isStream ? toChunks(makeConverseEvents(answer).map((event) => JSON.stringify(event))) : jsonResponse(makeConversed(answer))
    }
    const made = family.respond(spec, { ...recordOf(json), model: modelInPath(url), stream: isStream }, url)
    if (!isStream) return made
    return toChunks(readEvents(String(made.body)).filter((data) => data !== '[DONE]'))
  },
}

/** Returns the dialect of an invoked model's body: Claude's names a version, and Nova's blocks have no type. */
function familyOf(json: unknown): Dialect {
  const record = recordOf(json)
  if (record['anthropic_version'] !== undefined) return anthropicMessages
  if (NOVA_FIELDS.some((name) => record[name] !== undefined)) return bedrockConverse
  const blocks = recordsOf(record['messages']).flatMap(({ content }) => recordsOf(content))
  return blocks.length > 0 && blocks.every(({ type }) => type === undefined) ? bedrockConverse : openaiChat
}

/** Returns the places of an invoked model's body. The address names the model, which has to be of the same family: other models do not read the body. */
function invokedPlaces(family: Dialect): RequestPlaces {
  const places = family === anthropicMessages ? anthropicPlaces : family === bedrockConverse ? conversePlaces : chatPlaces
  return {
    ...places,
    blocked(part, request, edit) {
      if (part !== 'model') return places.blocked?.(part, request, edit)
      const [model, url] = [edit.model ?? '', withModelInPath(request.url, edit.model ?? '')]
      const other = familyOfModel(model)
      if ((other === undefined || other === family) && recogniseDialect('POST', url) === 'bedrock.invoke') return undefined
      return `its body has the format of ${modelInPath(request.url)}, which ${model} does not take`
    },
    model: editModelInPath,
  }
}

/** Returns the dialect of a model's body by the model's name; undefined for an ARN that does not contain it. */
function familyOfModel(model: string): Dialect | undefined {
  if (/anthropic|claude/.test(model)) return anthropicMessages
  if (/\bnova-/.test(model)) return bedrockConverse
  return model.startsWith('arn:') ? undefined : openaiChat
}

const NOVA_FIELDS = ['schemaVersion', 'inferenceConfig', 'toolConfig']

/** Reads an answer in the form of the model that gave it. */
function readInvokedAnswer(content: AnswerContent): NormalAnswer {
  const own: AnswerContent = content.kind === 'json' ? content : { kind: 'events', events: content.events.map(readChunk) }
  const names = new Set(eventsOf(own).flatMap((event) => Object.keys(recordOf(event))))
  if (names.has('choices')) return readChatAnswer(own)
  return ['output', 'messageStart', 'contentBlockDelta', 'messageStop'].some((name) => names.has(name))
    ? readConverseAnswer(own)
    : readAnthropicAnswer(own)
}

/** Returns the model's own event, which an event of Bedrock's contains as base64; errors are Bedrock's own. */
function readChunk(event: unknown): unknown {
  const bytes = textOf(recordOf(recordOf(event)['chunk'])['bytes'])
  if (bytes === undefined) return event
  const json = parseJson(new TextDecoder().decode(fromBase64(bytes)))
  return json === undefined ? event : json
}

function toChunks(events: readonly string[]): ModelResponse {
  const encoder = new TextEncoder()
  return framedResponse(events.map((event) => writeFrame('chunk', { bytes: toBase64(encoder.encode(event)) })))
}
