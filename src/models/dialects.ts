import { anthropicMessages } from './anthropic-messages.ts'
import type { Dialect } from './dialect.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

/** Every dialect, the ones called most first. A new one is a file and a line here. */
const DIALECTS: readonly Dialect[] = [openaiChat, anthropicMessages, openaiResponses]

/** The dialect that a request is a model call of, by its method and URL; undefined for any other request. */
export function recogniseDialect(method: string, url: string): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect.recognise(method, url))
}

/** The dialect of a model step, by the step's name. */
export function dialectNamed(name: string): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect.name === name)
}
