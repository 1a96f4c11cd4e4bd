import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { HISTORY } from './config.ts'

/** Returns what the model gets: everything, or the opening and the latest messages of a long conversation. */
export function tellOf(messages: readonly ChatCompletionMessageParam[]): readonly ChatCompletionMessageParam[] {
  return messages.length <= HISTORY ? messages : [...messages.slice(0, 2), ...messages.slice(2 - HISTORY)]
}
