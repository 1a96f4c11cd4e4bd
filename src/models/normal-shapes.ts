import { omitUndefined, parseJson } from '../trace/json.ts'
import type { NormalMessage, NormalPart, NormalTool, NormalToolCall, NormalToolResult } from './dialect.ts'
import { type JsonRecord, someOf, textOf } from './json-fields.ts'

/** The content of a message: its complete text, and the pieces that are not text. */
export interface NormalContent {
  readonly text: string
  readonly parts: readonly NormalPart[]
}

/**
 * Reads the pieces of a message.
 *
 * @param textIn Returns the text of a piece; undefined for a piece that is not text.
 * @param kindOf Returns the dialect's name for a piece that is not text. Default: its `type`.
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

/** Creates a message of the user or the assistant. */
export function toMessage(
  role: 'user' | 'assistant',
  { text, parts }: NormalContent,
  calls: readonly NormalToolCall[] = [],
): NormalMessage {
  return withoutUndefined<NormalMessage>({ role, text, toolCalls: someOf(calls), parts: someOf(parts) })
}

/** Creates a message with a tool's result for the model. */
export function toResultMessage(id: unknown, { text, parts }: NormalContent, isError = false): NormalMessage {
  const toolResult = withoutUndefined<NormalToolResult>({ id: textOf(id), text, isError: isError ? true : undefined })
  return withoutUndefined<NormalMessage>({ role: 'tool', text, toolResult, parts: someOf(parts) })
}

/**
 * Creates a tool call.
 *
 * @param args Its arguments, if the dialect carries them as JSON.
 * @param argsText Its arguments, if the dialect carries them as text.
 */
export function toToolCall(id: unknown, name: unknown, args: unknown, argsText?: string): NormalToolCall {
  const parsed = argsText === undefined ? (args ?? {}) : parseArguments(argsText)
  return withoutUndefined<NormalToolCall>({ id: textOf(id), name: textOf(name) ?? '', args: parsed, argsText })
}

/** Creates a tool that a request offers. */
export function toTool(name: string, description: unknown, schema: unknown, settings: JsonRecord): NormalTool {
  const given = Object.keys(settings).length > 0 ? settings : undefined
  return withoutUndefined<NormalTool>({ name, description: textOf(description), schema, settings: given })
}

/**
 * Parses the arguments of a tool call from the text that a model wrote. Empty text is `{}`: providers send it for tools without parameters. Text that
 * is not JSON stays text: models write such text, and the agent has to handle it as well.
 */
function parseArguments(text: string): unknown {
  if (text.trim() === '') return {}
  const parsed = parseJson(text)
  return parsed === undefined ? text : parsed
}

/** The fields of `T`; the optional ones may be undefined. */
export type Given<T> = { [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | undefined : T[K] }

/** Returns a `T` without optional fields that are undefined. */
export function withoutUndefined<T extends object>(fields: Given<T>): T {
  return omitUndefined(fields) as unknown as T
}
