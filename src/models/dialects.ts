import { anthropicMessages } from './anthropic-messages.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { bedrockInvoke } from './bedrock-invoke.ts'
import { cohereChat } from './cohere-chat.ts'
import type { Dialect } from './dialect.ts'
import { geminiContent } from './gemini-content.ts'
import { ollamaChat } from './ollama-chat.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

/** Every dialect. A new one is a file and a line here, and its address in `recognise-dialect.ts`. */
const DIALECTS: ReadonlyMap<string, Dialect> = new Map(
  [openaiChat, anthropicMessages, openaiResponses, geminiContent, bedrockConverse, bedrockInvoke, cohereChat, ollamaChat].map((dialect) => [
    dialect.name,
    dialect,
  ]),
)

/** The dialect of a model step, by the step's name. */
export function dialectNamed(name: string): Dialect | undefined {
  return DIALECTS.get(name)
}
