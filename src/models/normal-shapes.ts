import { omitUndefined, parseJson } from '../trace/json.ts'
import type { NormalMessage, NormalPart, NormalTool, NormalToolCall, NormalToolResult } from './dialect.ts'
import { type JsonRecord, someOf, textOf } from './json-fields.ts'

/** What a message holds: all its text, and the pieces that are not text. */
export interface NormalContent {
  readonly text: string
  readonly parts: readonly NormalPart[]
}

/**
 * Reads the pieces of a message.
 *
 * @param textIn The text of a piece; undefined for a piece that is not text.
 * @param kindOf The dialect's word for a piece that is not text. Default: its `type`.
 */
export function readPieces(
  pieces: readonly JsonRecord[],
  textIn: (piece: JsonRecord) => string | undefined,
  kindOf: (piece: JsonRecord) => string | undefined = ({ type }) => textOf(type),
): NormalContent {
  let text = ''
  const parts: NormalPart[] = []
  for (const piece of pieces) {
    const own = textIn(piece)
    if (own === undefined) parts.push({ kind: kindOf(piece) ?? 'unknown', value: piece })
    else text += own
  }
  return { text, parts }
}

/** A message of the user or the assistant. */
export function toMessage(
  role: 'user' | 'assistant',
  { text, parts }: NormalContent,
  calls: readonly NormalToolCall[] = [],
): NormalMessage {
  return withoutUndefined<NormalMessage>({ role, text, toolCalls: someOf(calls), parts: someOf(parts) })
}

/** A message that tells the model a tool's result. */
export function toResultMessage(id: unknown, { text, parts }: NormalContent, isError = false): NormalMessage {
  const toolResult = withoutUndefined<NormalToolResult>({ id: textOf(id), text, isError: isError ? true : undefined })
  return withoutUndefined<NormalMessage>({ role: 'tool', text, toolResult, parts: someOf(parts) })
}

/**
 * A tool call.
 *
 * @param args Its arguments, if the dialect carries them as JSON.
 * @param argsText Its arguments, if the dialect carries them as text.
 */
export function toToolCall(id: unknown, name: unknown, args: unknown, argsText?: string): NormalToolCall {
  const parsed = argsText === undefined ? (args ?? {}) : parseArguments(argsText)
  return withoutUndefined<NormalToolCall>({ id: textOf(id), name: textOf(name) ?? '', args: parsed, argsText })
}

/** A tool that a request offers. */
export function toTool(name: string, description: unknown, schema: unknown, settings: JsonRecord): NormalTool {
  const given = Object.keys(settings).length > 0 ? settings : undefined
  return withoutUndefined<NormalTool>({ name, description: textOf(description), schema, settings: given })
}

/**
 * The arguments of a tool call from the text that a model wrote. Empty text is `{}`: providers send it for tools without parameters.
 * Text that is not JSON stays text: models write such, and the agent has to deal with it too.
 */
function parseArguments(text: string): unknown {
  if (text.trim() === '') return {}
  const parsed = parseJson(text)
  return parsed === undefined ? text : parsed
}

/** The fields of `T`, of which the optional ones may be given as undefined. */
export type Given<T> = { [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | undefined : T[K] }

/** A `T` without the optional fields that are undefined. */
export function withoutUndefined<T extends object>(fields: Given<T>): T {
  return omitUndefined(fields) as unknown as T
}
