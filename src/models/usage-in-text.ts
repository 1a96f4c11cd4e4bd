/** What the fields with token counts in the text of an answer count. Those of the same kind are names of different providers. */
const kinds: Readonly<Record<string, Kind>> = {
  prompt_tokens: 'input',
  input_tokens: 'input',
  promptTokenCount: 'input',
  inputTokens: 'input',
  prompt_eval_count: 'input',
  // Anthropic counts cached input separately, and Gemini the tokens that its own tools read.
  cache_read_input_tokens: 'cache read',
  cache_creation_input_tokens: 'cache creation',
  toolUsePromptTokenCount: 'tool use',
  completion_tokens: 'output',
  output_tokens: 'output',
  candidatesTokenCount: 'output',
  outputTokens: 'output',
  eval_count: 'output',
  // Gemini counts its thoughts separately.
  thoughtsTokenCount: 'thoughts',
}

type Kind = 'input' | 'cache read' | 'cache creation' | 'tool use' | 'output' | 'thoughts'

const counts = new RegExp(String.raw`"(${Object.keys(kinds).join('|')})":\s*(\d+)`, 'g')

/**
 * Returns the tokens that an answer mentions, using the last of each count, because streams count up. For use where answers must not be parsed:
 * `usageOfSteps` finds more, such as counts that AWS event streams contain as base64.
 */
export function usageInText(text: string): { readonly inputTokens: number; readonly outputTokens: number } {
  const last: Partial<Record<Kind, number>> = {}
  for (const [, name = '', digits] of text.matchAll(counts)) last[kinds[name] ?? 'input'] = Number(digits)
  const sum = (...some: readonly Kind[]): number => some.reduce((tokens, kind) => tokens + (last[kind] ?? 0), 0)
  return { inputTokens: sum('input', 'cache read', 'cache creation', 'tool use'), outputTokens: sum('output', 'thoughts') }
}
