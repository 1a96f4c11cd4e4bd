import type { Dialect, RequestPart } from './dialect.ts'
import { recordOf, recordsOf } from './json-fields.ts'

/** Fields that mean the same in every dialect that has them. */
const COMMON_PARTS: readonly (readonly [string, RequestPart])[] = [
  ['model', 'model'],
  ['tools', 'tool-schema'],
  ['functions', 'tool-schema'],
  ['mcp_servers', 'tool-schema'],
  ...['metadata', 'user', 'safety_identifier', 'store', 'stream', 'stream_options', 'service_tier', 'prompt_cache_key'].map(asBody),
  ...['prompt_cache_options', 'prompt_cache_retention'].map(asBody),
]

/**
 * Returns a function that finds the part of a request in which a difference is.
 *
 * @param conversation The field with the messages, which may include instructions.
 * @param own The parts of the dialect's other fields. An unknown field affects how the model answers: `sampling`.
 * @param unseen Fields that the model does not see. Default: none.
 */
export function requestParts(
  conversation: string,
  own: Readonly<Record<string, RequestPart>>,
  unseen: readonly string[] = [],
): Dialect['requestPart'] {
  const parts = new Map([...COMMON_PARTS, ...Object.entries(own), ...unseen.map(asBody)])
  return ([field, index], recorded, live) => {
    if (typeof field !== 'string') return 'body'
    if (field !== conversation) return parts.get(field) ?? 'sampling'
    const [before, after] = [recordOf(recorded)[field], recordOf(live)[field]]
    if (typeof index === 'number')
      return isInstruction(itemAt(before, index)) || isInstruction(itemAt(after, index)) ? 'system-prompt' : 'messages'
    return instructionsOf(before) === instructionsOf(after) ? 'messages' : 'system-prompt'
  }
}

/** Returns whether a message of a conversation instructs the model, in dialects that mark this by a role. */
export function isInstruction(message: unknown): boolean {
  const role = recordOf(message)['role']
  return role === 'system' || role === 'developer'
}

function itemAt(list: unknown, index: number): unknown {
  return Array.isArray(list) ? list[index] : undefined
}

function instructionsOf(list: unknown): string {
  return JSON.stringify(recordsOf(list).filter(isInstruction))
}

function asBody(field: string): readonly [string, RequestPart] {
  return [field, 'body']
}
