import type { NormalUsage } from '../dialect.ts'
import { numberOf, recordOf, type JsonRecord } from '../json-fields.ts'
import { withoutUndefined } from '../without-undefined.ts'

/**
 * What a completion, or a chunk, says of usage. Groq's streams have it in `x_groq`. Tokens read from a cache are counted in OpenAI's
 * `prompt_tokens_details`, by DeepSeek in `prompt_cache_hit_tokens`, by Moonshot in `cached_tokens`.
 *
 * @note xAI's `completion_tokens` leave out the reasoning: there the total is more than prompt and completion.
 */
export function readChatUsage(completion: JsonRecord): NormalUsage | undefined {
  const usage = recordOf(completion['usage'] ?? recordOf(completion['x_groq'])['usage'])
  const [input, output, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) => numberOf(usage[name]))
  if (input === undefined && output === undefined) return undefined
  const details = recordOf(usage['prompt_tokens_details'])
  const reasoning = numberOf(recordOf(usage['completion_tokens_details'])['reasoning_tokens'])
  const [inputTokens, completionTokens] = [input ?? 0, output ?? 0]
  const isReasoningApart = total !== undefined && reasoning !== undefined && total === inputTokens + completionTokens + reasoning
  return withoutUndefined<NormalUsage>({
    inputTokens,
    outputTokens: completionTokens + (isReasoningApart ? reasoning : 0),
    cacheReadTokens: numberOf(details['cached_tokens']) ?? numberOf(usage['prompt_cache_hit_tokens']) ?? numberOf(usage['cached_tokens']),
    cacheWriteTokens: numberOf(details['cache_write_tokens']),
    reasoningTokens: reasoning,
  })
}
