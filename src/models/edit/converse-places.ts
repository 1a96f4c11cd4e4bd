import { fieldsBut, type JsonRecord, recordOf, recordsOf } from '../json-fields.ts'
import { modelInPath } from '../url-path.ts'
import { pieceInTheWay, withField, withNestedFields } from './edit-fields.ts'
import { editModelInPath } from './edit-model.ts'
import type { OpenRequest, RequestPlaces } from './request-editor.ts'
import { ownFields } from '../own-fields.ts'

/**
 * The places of a Converse request. A cache mark at the end of the system prompt stays at its end.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const conversePlaces: RequestPlaces = {
  blocked(part, request) {
    if (usesManagedPrompt(request)) return 'it uses a prompt stored at Bedrock (Prompt management)'
    return part === 'system' ? pieceInTheWay(recordsOf(request.body['system']).filter((block) => !isCachePoint(block))) : undefined
  },
  system(body, text) {
    const blocks = recordsOf(body['system'])
    const kept = blocks.findLast((block) => !isCachePoint(block))
    return withField(body, 'system', text === '' ? undefined : [{ ...kept, text }, ...blocks.slice(-1).filter(isCachePoint)])
  },
  messages: (body, messages) => ({ ...body, messages: messages.map(({ role, text }) => ({ role, content: [{ text }] })) }),
  model: editModelInPath,
  /** The tool that the model has to call is named next to the tools. */
  sampling(body, fields) {
    const edited = withNestedFields(body, fieldsBut(fields, ['toolChoice']), 'inferenceConfig', BESIDE_CONFIG)
    if (!Object.hasOwn(fields, 'toolChoice')) return edited
    return { ...edited, toolConfig: withField(recordOf(edited['toolConfig']), 'toolChoice', fields['toolChoice']) }
  },
  ownFields: ownFields.converse,
}

const BESIDE_CONFIG = [
  'additionalModelRequestFields',
  'additionalModelResponseFieldPaths',
  'guardrailConfig',
  'outputConfig',
  'performanceConfig',
  'promptVariables',
  'requestMetadata',
  'schemaVersion',
  'serviceTier',
]

function isCachePoint(block: JsonRecord): boolean {
  return block['cachePoint'] !== undefined
}

/** @see https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-management-test.html */
function usesManagedPrompt({ body, url }: OpenRequest): boolean {
  return body['promptVariables'] !== undefined || /^arn:[^/]*:prompt\//.test(modelInPath(url))
}
