import { anthropicMessages } from './anthropic-messages.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { bedrockInvoke } from './bedrock-invoke.ts'
import { cohereChat } from './cohere-chat.ts'
import { headerOf } from '../trace/assemble.ts'
import type { HttpOutput } from '../trace/rows.ts'
import type { Dialect, NormalAnswer } from './dialect.ts'
import { geminiContent } from './gemini-content.ts'
import { ollamaChat } from './ollama-chat.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

/** Every dialect. A new dialect needs a file, a line here, and its address in `recognise-dialect.ts`. */
const DIALECTS: ReadonlyMap<string, Dialect> = new Map(
  [openaiChat, anthropicMessages, openaiResponses, geminiContent, bedrockConverse, bedrockInvoke, cohereChat, ollamaChat].map((dialect) => [
    dialect.name,
    dialect,
  ]),
)

/** Returns the dialect of a model step, by the step's name. */
export function dialectNamed(name: string): Dialect | undefined {
  return DIALECTS.get(name)
}

/** Returns the answer in the output of a model step, by the step's name; undefined if there is none. */
export function answerIn(name: string, output: unknown): NormalAnswer | undefined {
  if (typeof output !== 'object' || output === null) return undefined
  const answered: HttpOutput = output
  return dialectNamed(name)?.answer(answered, headerOf(answered.headers, 'content-type'))
}
