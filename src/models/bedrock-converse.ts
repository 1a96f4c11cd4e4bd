import type { PathKey } from '../trace/json.ts'
import { readAnswer } from './answer-body.ts'
import { readConverseAnswer } from './bedrock-converse/answer.ts'
import { readConverseRequest } from './bedrock-converse/request.ts'
import { makeConverseAnswer } from './bedrock-converse/respond.ts'
import type { Dialect, RenameToolCall, RequestPart } from './dialect.ts'
import { isRecord, recordOf, textOf } from './json-fields.ts'
import { asBody, COMMON_PARTS, requestPartOf } from './request-part.ts'

const FIELDS = {
  conversation: 'messages',
  parts: new Map([
    ...COMMON_PARTS,
    ['system', 'system-prompt'],
    ['toolConfig', 'tool-schema'],
    ['promptVariables', 'messages'],
    ...['requestMetadata', 'performanceConfig', 'serviceTier', 'schemaVersion'].map(asBody),
  ] as const),
}

/**
 * Amazon Bedrock's Converse and ConverseStream. The model is named in the address; a stream is an AWS event stream.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const bedrockConverse: Dialect = {
  name: 'bedrock.converse',
  request: readConverseRequest,
  requestPart: conversePartOf,
  renameToolCalls: renameConverseToolCalls,
  answer: (body, contentType) => readAnswer(body, contentType, readConverseAnswer),
  respond: makeConverseAnswer,
}

/** Which part of a request a path is in. Which tool the model has to call stands beside the tools, and is sampling. */
function conversePartOf(path: readonly PathKey[], recorded: unknown, live: unknown): RequestPart {
  return path[0] === 'toolConfig' && path[1] === 'toolChoice' ? 'sampling' : requestPartOf(FIELDS, path, recorded, live)
}

/** Renames the ids of tool calls in messages. */
function renameConverseToolCalls(json: unknown, rename: RenameToolCall): unknown {
  const record = recordOf(json)
  if (!Array.isArray(record['messages'])) return json
  return { ...record, messages: record['messages'].map((message) => renameInMessage(message, rename)) }
}

function renameInMessage(message: unknown, rename: RenameToolCall): unknown {
  if (!isRecord(message) || !Array.isArray(message['content'])) return message
  return { ...message, content: message['content'].map((block) => renameInBlock(block, rename)) }
}

function renameInBlock(block: unknown, rename: RenameToolCall): unknown {
  if (!isRecord(block)) return block
  const [call, result] = [recordOf(block['toolUse']), recordOf(block['toolResult'])]
  const [callId, resultId] = [textOf(call['toolUseId']), textOf(result['toolUseId'])]
  if (callId !== undefined) return { ...block, toolUse: { ...call, toolUseId: rename('call', callId) } }
  if (resultId !== undefined) return { ...block, toolResult: { ...result, toolUseId: rename('result', resultId) } }
  return block
}
