import { toBase64 } from '../../trace/base64.ts'
import { bedrockConverse } from '../bedrock-converse.ts'
import { framedResponse, makeConversed, makeConverseEvents } from '../bedrock-converse/respond.ts'
import { readConverseRequest } from '../bedrock-converse/request.ts'
import type { AnswerSpec, ModelResponse } from '../dialect.ts'
import { writeFrame } from '../event-stream.ts'
import { recordOf } from '../json-fields.ts'
import { jsonResponse, toMadeAnswer } from '../made-answer.ts'
import { readEvents } from '../server-sent-events.ts'
import { modelInPath, urlPath } from '../url-path.ts'
import { familyOf } from './family.ts'

/** Makes an answer in the form of the model that the request is for, its stream in Bedrock's frames. */
export function makeInvokedAnswer(spec: AnswerSpec, json: unknown, url: string): ModelResponse {
  const isStream = urlPath(url).endsWith('-stream')
  const family = familyOf(json)
  if (family === bedrockConverse) {
    const answer = toMadeAnswer(spec, readConverseRequest(json, url), 'tooluse')
    return isStream ? toChunks(makeConverseEvents(answer).map((event) => JSON.stringify(event))) : jsonResponse(makeConversed(answer))
  }
  const made = family.respond(spec, { ...recordOf(json), model: modelInPath(url), stream: isStream }, url)
  if (!isStream) return made
  const events = readEvents(String(made.body)).map(({ data }) => data)
  return toChunks(events.filter((data) => data !== '[DONE]'))
}

function toChunks(events: readonly string[]): ModelResponse {
  const encoder = new TextEncoder()
  return framedResponse(events.map((event) => writeFrame('chunk', { bytes: toBase64(encoder.encode(event)) })))
}
