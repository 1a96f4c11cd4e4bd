import type { Turn } from './script.ts'

/** Returns a model's turn as an Anthropic message. */
export function toMessage({ text, calls = [] }: Turn, model: unknown): object {
  const content = [
    ...(typeof text === 'string' ? [{ type: 'text', text }] : []),
    ...calls.map(({ id, name, argumentsText }) => ({ type: 'tool_use', id, name, input: JSON.parse(argumentsText) as unknown })),
  ]
  const reason = calls.length > 0 ? 'tool_use' : 'end_turn'
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: reason,
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 9 },
  }
}
