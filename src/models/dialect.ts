import type { PathKey } from '../trace/json.ts'
import type { HeaderPairs, HttpBody, Usage } from '../trace/rows.ts'

/**
 * One provider's wire format for model calls: how its requests and answers are read, and how an answer is made.
 *
 * What is read is never refused: fields that are missing or of another type read as absent, because a recording holds whatever was sent.
 */
export interface Dialect {
  /** What a model step is called, `<provider>.<api>`. It stands in traces: never rename one. */
  readonly name: string

  /** A request in the shape that is the same for all dialects. `url` because some dialects name the model there. */
  request(json: unknown, url: string): NormalRequest

  /** Which part of a request a difference at `path` is in. Takes both bodies, because the role of a message decides. */
  requestPart(path: readonly PathKey[], recorded: unknown, live: unknown): RequestPart

  /**
   * A copy of a request's JSON in which each id of a tool call, and each reference of a tool result to one, is what `rename` gives for it,
   * asked in the order of the conversation.
   */
  renameToolCalls(json: unknown, rename: RenameToolCall): unknown

  /**
   * A request with some of its parts replaced, each in the place and the form that the dialect has for it. The rest stays as it is, in the
   * same order of keys. The input is not changed, and the result shares with it what stays.
   *
   * @note What signs a body (AWS Signature Version 4) or measures it (`content-length`) has to be made again.
   * @throws RequestEditError for what the body does not hold, or what one text cannot replace.
   */
  editRequest(json: unknown, url: string, edit: RequestEdit): EditedRequest

  /** An answer, or what arrived of one: JSON, or a stream put together. Never throws: what cannot be read is the answer's `error`. */
  answer(body: HttpBody, contentType: string | undefined): NormalAnswer

  /**
   * Makes an answer to a request as the provider would: JSON, or a stream when the request asks for one. The same input gives the same
   * bytes, ids included; ids differ from turn to turn of a conversation. It counts no tokens.
   */
  respond(answer: AnswerSpec, json: unknown, url: string): ModelResponse
}

/** A part of a model request, as verdicts name it. `body` is what is neither said to the model nor changes how it answers. */
export type RequestPart = 'model' | 'system-prompt' | 'messages' | 'tool-schema' | 'sampling' | 'body'

/** Gives the new id of a tool call, or of the call that a tool result answers. */
export type RenameToolCall = (of: 'call' | 'result', id: string) => string

/** What to replace in a model request. A part that is left out stays as it is. */
export interface RequestEdit {
  /** Replaces all system and developer prompts by one, where the first of them stands. Empty: takes them away. */
  readonly system?: string
  /** The model, in the body or in the address, by the name that the provider has for it there. */
  readonly model?: string
  /** Replaces the conversation. System prompts stay; those that stood among the messages come before them. */
  readonly messages?: readonly SaidMessage[]
  /** Sets fields of `NormalRequest.sampling` by the dialect's own names. `undefined` takes a field away; fields that are not named stay. */
  readonly sampling?: Readonly<Record<string, unknown>>
}

/** A message of a conversation that is text and nothing else. */
export interface SaidMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** A request after an edit. */
export interface EditedRequest {
  readonly json: unknown
  readonly url: string
}

/** A model request, whatever its dialect. */
export interface NormalRequest {
  /** The provider's name by the URL's host (`openai`, `anthropic`, `groq`), or the host itself when it is nobody's we know. */
  readonly provider: string
  /** Empty when the request names none. */
  readonly model: string
  readonly stream: boolean
  /** All other fields as they were sent: temperature, token limits, stop, reasoning effort, response format, tool choice … */
  readonly sampling: Readonly<Record<string, unknown>>
  /** System and developer prompts, in order. */
  readonly system: readonly string[]
  /** The conversation without its system prompts. What an assistant said and asked for in one turn is one message; each tool result is one. */
  readonly messages: readonly NormalMessage[]
  readonly tools: readonly NormalTool[]
}

/** A message of a conversation. */
export interface NormalMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  /** All its text, joined without a separator; empty when it has none. */
  readonly text: string
  /** What the assistant asked the agent to run. */
  readonly toolCalls?: readonly NormalToolCall[]
  /** Only of a `tool` message. */
  readonly toolResult?: NormalToolResult
  /** What is neither text nor a tool call of the agent's, in order. */
  readonly parts?: readonly NormalPart[]
}

/** A tool call that the model asks the agent for. Calls that the provider runs itself (web search, code execution) are parts. */
export interface NormalToolCall {
  readonly id?: string
  readonly name: string
  /** The parsed arguments; `{}` for empty text; the text itself where it is not JSON. */
  readonly args: unknown
  /** The arguments as the model wrote them, where the dialect carries them as text. */
  readonly argsText?: string
}

/** A tool's result, as it is told to the model. */
export interface NormalToolResult {
  /** The id of the call it answers. */
  readonly id?: string
  readonly text: string
  /** Told as an error. */
  readonly isError?: true
}

/** A piece of a message that is not text: an image, a file, reasoning, a call that the provider ran itself. */
export interface NormalPart {
  /** The dialect's own word for it (`image_url`, `thinking`). */
  readonly kind: string
  /** As the dialect writes it: to be shown, not to be read. */
  readonly value: unknown
}

/** A tool that a request offers to the model. */
export interface NormalTool {
  /** Its name; for a tool of the provider's that has none, its type (`web_search`). */
  readonly name: string
  readonly description?: string
  /** The JSON schema (or the grammar) of its arguments; absent for tools that the provider runs itself. */
  readonly schema?: unknown
  /** Its other fields, as they were sent. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** A model's answer, whatever its dialect. Of several choices, the first. */
export interface NormalAnswer {
  /** The model that answered, which may be more precise than the one asked. */
  readonly model?: string
  /** All its text, joined without a separator; empty when it has none. */
  readonly text: string
  readonly reasoning?: string
  /** What the model said instead of an answer, where the dialect keeps the two apart. */
  readonly refusal?: string
  readonly toolCalls: readonly NormalToolCall[]
  /** Absent when the answer did not come to its end. */
  readonly stopReason?: StopReason
  readonly usage?: NormalUsage
  /** An error that was answered, or sent within a stream, or why the answer cannot be read. */
  readonly error?: NormalError
}

/**
 * Why a model stopped: it was done or met a stop sequence (`end`), it waits for tools (`tool-calls`), a token limit (`length`), a filter or
 * its own refusal (`refused`), a long turn that may be continued (`paused`), a word we do not know (`other`).
 */
export type StopReason = 'end' | 'tool-calls' | 'length' | 'refused' | 'paused' | 'other'

/** What one model call used, in tokens. `inputTokens` counts all that the model read, from a cache or not; `outputTokens` includes reasoning. */
export interface NormalUsage extends Usage {
  /** How many of the input tokens were read from the provider's cache. */
  readonly cacheReadTokens?: number
  /** How many of the input tokens were written to the provider's cache. */
  readonly cacheWriteTokens?: number
  /** How many of the output tokens were reasoning. */
  readonly reasoningTokens?: number
}

/** A provider's error. */
export interface NormalError {
  /** The provider's word for it (`invalid_request_error`); `unreadable` when the answer is none of its dialect. */
  readonly type?: string
  readonly message: string
  readonly code?: string | number
}

/** An answer to be made: its text, or its parts. Without text and tool calls it is an empty text. */
export type AnswerSpec = string | AnswerParts

/** The parts of an answer to be made. */
export interface AnswerParts {
  readonly text?: string
  /** `args` is `{}` by default, `id` a counted one. */
  readonly toolCalls?: readonly { readonly name: string; readonly args?: unknown; readonly id?: string }[]
  readonly reasoning?: string
}

/** An answer as it goes over the wire. */
export interface ModelResponse {
  readonly status: number
  readonly headers: HeaderPairs
  readonly body: string | Uint8Array<ArrayBuffer>
}
