/** The fields with token counts in the text of an answer; the counts of one list are added up. */
const INPUT = [
  /"(?:prompt_tokens|input_tokens|promptTokenCount|inputTokens|prompt_eval_count)":\s*(\d+)/g,
  // Anthropic counts cached input separately, and Gemini the tokens that its own tools read.
  /"cache_read_input_tokens":\s*(\d+)/g,
  /"cache_creation_input_tokens":\s*(\d+)/g,
  /"toolUsePromptTokenCount":\s*(\d+)/g,
]
const OUTPUT = [
  /"(?:completion_tokens|output_tokens|candidatesTokenCount|outputTokens|eval_count)":\s*(\d+)/g,
  // Gemini counts its thoughts separately.
  /"thoughtsTokenCount":\s*(\d+)/g,
]

/**
 * Returns the tokens that an answer mentions, using the last of each count, because streams count up. For use where answers must not be parsed:
 * `usageOfSteps` finds more, such as counts that AWS event streams contain as base64.
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
