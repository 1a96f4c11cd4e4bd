/** The fields that providers count tokens in, as they stand in the text of an answer; those of one list are added up. */
const INPUT = [
  /"(?:prompt_tokens|input_tokens|promptTokenCount|inputTokens|prompt_eval_count)":\s*(\d+)/g,
  // Anthropic counts beside its input what was in a cache, Gemini what its own tools read.
  /"cache_read_input_tokens":\s*(\d+)/g,
  /"cache_creation_input_tokens":\s*(\d+)/g,
  /"toolUsePromptTokenCount":\s*(\d+)/g,
]
const OUTPUT = [
  /"(?:completion_tokens|output_tokens|candidatesTokenCount|outputTokens|eval_count)":\s*(\d+)/g,
  // Gemini counts its thoughts beside what it says.
  /"thoughtsTokenCount":\s*(\d+)/g,
]

/**
 * The tokens that an answer speaks of, of each count the last: streams count up. For where an answer must not be parsed: `usageOfSteps` knows more,
 * such as the counts within AWS's event streams of other providers' events, which stand there in base64.
 */
export function usageInText(text: string): { readonly inputTokens: number; readonly outputTokens: number } {
  return { inputTokens: sum(text, INPUT), outputTokens: sum(text, OUTPUT) }
}

function sum(text: string, patterns: readonly RegExp[]): number {
  return patterns.reduce((tokens, pattern) => tokens + last(text, pattern), 0)
}

function last(text: string, pattern: RegExp): number {
  let count = 0
  for (const [, digits] of text.matchAll(pattern)) count = Number(digits)
  return count
}
