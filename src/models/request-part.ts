import type { PathKey } from '../trace/json.ts'
import type { RequestPart } from './dialect.ts'
import { recordOf, recordsOf } from './json-fields.ts'

/** What a dialect's request fields are for. A field of neither list changes how the model answers: `sampling`. */
export interface RequestFields {
  /** The field with the messages, among which instructions may stand. */
  readonly conversation: string
  readonly parts: ReadonlyMap<string, RequestPart>
}

/** Fields that mean the same in all dialects that have them. */
export const COMMON_PARTS: readonly (readonly [string, RequestPart])[] = [
  ['model', 'model'],
  ['tools', 'tool-schema'],
  ['functions', 'tool-schema'],
  ['mcp_servers', 'tool-schema'],
  ...['metadata', 'user', 'safety_identifier', 'store', 'stream', 'stream_options', 'service_tier', 'prompt_cache_key'].map(asBody),
  ...['prompt_cache_options', 'prompt_cache_retention'].map(asBody),
]

/** Makes a field one that the model does not see. */
export function asBody(field: string): readonly [string, RequestPart] {
  return [field, 'body']
}

/** Which part of a request a difference at `path` is in. */
export function requestPartOf(fields: RequestFields, path: readonly PathKey[], recorded: unknown, live: unknown): RequestPart {
  const [field, index] = path
  if (typeof field !== 'string') return 'body'
  if (field !== fields.conversation) return fields.parts.get(field) ?? 'sampling'
  const [before, after] = [recordOf(recorded)[field], recordOf(live)[field]]
  if (typeof index === 'number')
    return isInstruction(itemAt(before, index)) || isInstruction(itemAt(after, index)) ? 'system-prompt' : 'messages'
  return instructionsOf(before) === instructionsOf(after) ? 'messages' : 'system-prompt'
}

/** Whether a message of a conversation instructs the model, where the dialect marks that by a role. */
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
