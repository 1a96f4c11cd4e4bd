import { expect, it } from 'vitest'
import { dialectNamed } from '../../src/models/dialects.ts'
import { recogniseDialect } from '../../src/models/recognise-dialect.ts'
import { usageInText } from '../../src/models/usage-in-text.ts'
import { bodyFromBytes } from '../../src/trace/body.ts'
import { bytesOfBody, hasSharedData, keyOf, readExchanges } from './shared-data.ts'

it.each([
  ['OpenAI', '{"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9,"prompt_tokens_details":{"cached_tokens":4}}}', [7, 2]],
  [
    'Anthropic, streamed',
    'data: {"message":{"usage":{"input_tokens":100,"cache_read_input_tokens":20,"output_tokens":1}}}\n\ndata: {"usage":{"output_tokens":30}}\n\n',
    [120, 30],
  ],
  ['Gemini', '{"usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 6, "totalTokenCount": 11}}', [5, 6]],
  [
    'Gemini that thinks',
    '{"promptTokenCount": 5,"candidatesTokenCount": 6,"thoughtsTokenCount": 10,"toolUsePromptTokenCount": 1}',
    [6, 16],
  ],
  ['Bedrock', '\u0000\u0001{"usage":{"inputTokens":3,"outputTokens":4}}\u0000', [3, 4]],
  ['Ollama', '{"prompt_eval_count":8,"eval_count":9}', [8, 9]],
  ['an answer that speaks of tokens in words', String.raw`{"content":"\"input_tokens\": 5"}`, [0, 0]],
  ['an answer that says nothing', '', [0, 0]],
])('finds the tokens in an answer of %s', (_provider, text, [inputTokens, outputTokens]) => {
  expect(usageInText(text)).toEqual({ inputTokens, outputTokens })
})

it.skipIf(!hasSharedData)(
  'finds what the dialects find in real answers (skipped: the shared data does not stand beside the repository)',
  () => {
    const different: string[] = []
    let compared = 0
    for (const exchange of readExchanges()) {
      const { request, response } = exchange
      const name = recogniseDialect(request.method, request.url)
      // Of invoked models' streams the events stand in base64.
      const isHidden = name === 'bedrock.invoke' && request.url.includes('stream')
      if (name === undefined || isHidden || response.status >= 300) continue
      const bytes = bytesOfBody(response)
      const type = Object.entries(response.headers).find(([header]) => header.toLowerCase() === 'content-type')?.[1]?.[0]
      const { usage } = dialectNamed(name)?.answer(bodyFromBytes(bytes, type), type) ?? {}
      if (usage === undefined) continue
      compared += 1
      const found = usageInText(bytes.toString('latin1'))
      if (found.inputTokens !== usage.inputTokens || found.outputTokens !== usage.outputTokens)
        different.push(`${keyOf(exchange)} ${name} ${JSON.stringify(found)} ${JSON.stringify(usage)}`)
    }
    expect(different).toEqual([])
    expect(compared).toBeGreaterThan(100)
  },
)
