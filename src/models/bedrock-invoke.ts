import { readAnswer } from './answer-body.ts'
import { readInvokedAnswer } from './bedrock-invoke/answer.ts'
import { familyOf } from './bedrock-invoke/family.ts'
import { makeInvokedAnswer } from './bedrock-invoke/respond.ts'
import type { Dialect } from './dialect.ts'
import { recordOf } from './json-fields.ts'
import { modelInPath, urlPath } from './url-path.ts'

/**
 * Amazon Bedrock's InvokeModel and InvokeModelWithResponseStream: the body is the model's own, here Anthropic's messages (Claude), Converse's
 * (Nova) or OpenAI's chat completions (the others that converse). The address names the model, and whether the answer is a stream: an AWS
 * event stream whose events are the model's own.
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
  answer: (body, contentType) => readAnswer(body, contentType, readInvokedAnswer),
  respond: makeInvokedAnswer,
}
