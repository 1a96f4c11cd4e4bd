import { anthropicMessages } from '../anthropic-messages.ts'
import { bedrockConverse } from '../bedrock-converse.ts'
import type { Dialect } from '../dialect.ts'
import { recordOf, recordsOf } from '../json-fields.ts'
import { openaiChat } from '../openai-chat.ts'

/** The dialect whose body an invoked model has: Claude says its version, Nova's blocks have no type. */
export function familyOf(json: unknown): Dialect {
  const record = recordOf(json)
  if (record['anthropic_version'] !== undefined) return anthropicMessages
  if (NOVA_FIELDS.some((name) => record[name] !== undefined)) return bedrockConverse
  const blocks = recordsOf(record['messages']).flatMap(({ content }) => recordsOf(content))
  return blocks.length > 0 && blocks.every(({ type }) => type === undefined) ? bedrockConverse : openaiChat
}

const NOVA_FIELDS = ['schemaVersion', 'inferenceConfig', 'toolConfig']
