import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { HISTORY } from './config.ts'

/** What the model is told of: everything, or of a long conversation its opening and the latest. */
export function tellOf(messages: readonly ChatCompletionMessageParam[]): readonly ChatCompletionMessageParam[] {
  return messages.length <= HISTORY ? messages : [...messages.slice(0, 2), ...messages.slice(2 - HISTORY)]
}
