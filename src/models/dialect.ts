import type { PathKey } from '../trace/json.ts'
import type { HeaderPairs } from '../trace/http-facts.ts'
import type { HttpBody, Usage } from '../trace/rows.ts'

/**
 * One provider's wire format for model calls: reads its requests and answers, and makes answers.
 *
 * Reading never fails: fields that are missing or of a different type count as absent, because a recording contains whatever was sent.
 */
export interface Dialect {
  /** The name of a model step, `<provider>.<api>`. Traces contain it: never rename one. */
  readonly name: string

  /** Converts a request to the shape that all dialects share. Takes `url` because some dialects name the model there. */
  request(json: unknown, url: string): NormalRequest

  /** Returns the part of a request that contains a difference at `path`. Takes both bodies, because the role of a message decides. */
  requestPart(path: readonly PathKey[], recorded: unknown, live: unknown): RequestPart

  /**
   * Returns a copy of a request's JSON in which `rename` replaces each id of a tool call, and each reference of a tool result to one, in the order of
   * the conversation.
   */
  renameToolCalls(json: unknown, rename: RenameToolCall): unknown

  /**
   * Replaces some parts of a request, each in the dialect's place and form for it. The rest stays as it is, in the same order of keys. The input is
   * not changed, and the result shares the unchanged parts with it.
   *
   * @note A body's signature (AWS Signature Version 4) and length (`content-length`) have to be computed again.
   * @throws RequestEditError for a part that the body does not contain, or that one text cannot replace.
   */
  editRequest(json: unknown, url: string, edit: RequestEdit): EditedRequest

  /**
   * Reads an answer, or the part of it that arrived: JSON, or a stream, which is assembled. Never throws: the error of an unreadable answer is its
   * `error`.
   */
  answer(body: HttpBody, contentType: string | undefined): NormalAnswer

  /**
   * Makes an answer to a request as the provider would: JSON, or a stream if the request asks for one. The same input gives the same bytes, ids
   * included; ids differ between the turns of a conversation. It counts no tokens.
   */
  respond(answer: AnswerSpec, json: unknown, url: string): ModelResponse
}

/** A part of a model request, as verdicts name it. `body` is everything that the model neither sees nor is affected by. */
export type RequestPart = 'model' | 'system-prompt' | 'messages' | 'tool-schema' | 'sampling' | 'body'

/** Returns the new id of a tool call, or of the call that a tool result answers. */
export type RenameToolCall = (of: 'call' | 'result', id: string) => string

/** The parts to replace in a model request. An omitted part stays as it is. */
export interface RequestEdit {
  /** Replaces all system and developer prompts by one, at the place of the first. Empty: removes them. */
  readonly system?: string
  /** The model, in the body or in the address, by the provider's name for it there. */
  readonly model?: string
  /** Replaces the conversation. System prompts stay; those among the messages are moved before them. */
  readonly messages?: readonly SaidMessage[]
  /** Sets fields of `NormalRequest.sampling` by the dialect's own names. `undefined` removes a field; other fields stay. */
  readonly sampling?: Readonly<Record<string, unknown>>
}

/** A message of a conversation that consists of text only. */
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
  /** The provider's name by the URL's host (`openai`, `anthropic`, `groq`), or the host itself if it is unknown. */
  readonly provider: string
  /** Empty if the request names none. */
  readonly model: string
  readonly stream: boolean
  /** All other fields as sent: temperature, token limits, stop, reasoning effort, response format, tool choice … */
  readonly sampling: Readonly<Record<string, unknown>>
  /** System and developer prompts, in order. */
  readonly system: readonly string[]
  /** The conversation without its system prompts. An assistant's text and tool calls of one turn are one message; each tool result is one. */
  readonly messages: readonly NormalMessage[]
  readonly tools: readonly NormalTool[]
}

/** A message of a conversation. */
export interface NormalMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  /** Its complete text, joined without a separator; empty if it has none. */
  readonly text: string
  /** The tool calls that the assistant requested from the agent. */
  readonly toolCalls?: readonly NormalToolCall[]
  /** Only in a `tool` message. */
  readonly toolResult?: NormalToolResult
  /** Everything that is neither text nor a tool call for the agent, in order. */
  readonly parts?: readonly NormalPart[]
}

/** A tool call that the model requests from the agent. Calls that the provider runs itself (web search, code execution) are parts. */
export interface NormalToolCall {
  readonly id?: string
  readonly name: string
  /** The parsed arguments; `{}` for empty text; the text itself if it is not JSON. */
  readonly args: unknown
  /** The arguments as the model wrote them, if the dialect carries them as text. */
  readonly argsText?: string
}

/** A tool's result, as sent to the model. */
export interface NormalToolResult {
  /** The id of the call it answers. */
  readonly id?: string
  readonly text: string
  /** Set for a result that is an error. */
  readonly isError?: true
}

/** A piece of a message that is not text: an image, a file, reasoning, a call that the provider ran itself. */
export interface NormalPart {
  /** The dialect's own name for it (`image_url`, `thinking`). */
  readonly kind: string
  /** In the dialect's own form: for display only. */
  readonly value: unknown
}

/** A tool that a request offers to the model. */
export interface NormalTool {
  /** Its name; for a tool of the provider's without a name, its type (`web_search`). */
  readonly name: string
  readonly description?: string
  /** The JSON schema (or the grammar) of its arguments; absent for tools that the provider runs itself. */
  readonly schema?: unknown
  /** Its other fields, as sent. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** A model's answer, whatever its dialect. If there are several choices, the first. */
export interface NormalAnswer {
  /** The model that answered, which may be more precise than the requested one. */
  readonly model?: string
  /** Its complete text, joined without a separator; empty if it has none. */
  readonly text: string
  readonly reasoning?: string
  /** The model's refusal, if the dialect separates it from an answer. */
  readonly refusal?: string
  readonly toolCalls: readonly NormalToolCall[]
  /** Absent if the answer was not complete. */
  readonly stopReason?: StopReason
  readonly usage?: NormalUsage
  /** An error that was answered or sent within a stream, or the reason why the answer cannot be read. */
  readonly error?: NormalError
}

/**
 * Why a model stopped: it was done or met a stop sequence (`end`), it waits for tools (`tool-calls`), a token limit (`length`), a filter or its own
 * refusal (`refused`), a long turn that can be continued (`paused`), or an unknown word (`other`).
 */
export type StopReason = 'end' | 'tool-calls' | 'length' | 'refused' | 'paused' | 'other'

/** The usage of one model call, in tokens. `inputTokens` counts everything that the model read, cached or not; `outputTokens` includes reasoning. */
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
  /** The provider's name for it (`invalid_request_error`); `unreadable` if the answer does not match its dialect. */
  readonly type?: string
  readonly message: string
  readonly code?: string | number
}

/** The text or the parts of an answer to make. Without text and tool calls its text is empty. */
export type AnswerSpec = string | AnswerParts

/** The parts of an answer to make. */
export interface AnswerParts {
  readonly text?: string
  /** `args` defaults to `{}`, `id` to a numbered one. */
  readonly toolCalls?: readonly { readonly name: string; readonly args?: unknown; readonly id?: string }[]
  readonly reasoning?: string
}

/** An answer as sent over the wire. */
export interface ModelResponse {
  readonly status: number
  readonly headers: HeaderPairs
  readonly body: string | Uint8Array<ArrayBuffer>
}
