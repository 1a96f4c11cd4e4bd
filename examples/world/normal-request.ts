import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from './json.ts'

/** The three wire formats that the scripted provider speaks. */
export type Dialect = 'openai.chat' | 'openai.responses' | 'anthropic.messages'

/** A tool call as it stands in a request's history. */
export interface NormalToolCall {
  readonly id: string
  readonly name: string
  readonly argumentsText: string
}

/** One message of a request's history, whatever the dialect. */
export interface NormalMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text: string
  /** Present on an assistant's message that calls tools. */
  readonly toolCalls?: readonly NormalToolCall[]
  /** Present on a tool's message: the call that it answers. */
  readonly toolCallId?: string
}

/** A tool that the request offers to the model. */
export interface NormalTool {
  readonly name: string
  readonly description?: string
  readonly schema: unknown
}

/** What a request says, whatever the dialect. */
export interface NormalConversation {
  readonly model: string
  readonly stream: boolean
  /** System and developer prompts, in order. */
  readonly system: readonly string[]
  readonly messages: readonly NormalMessage[]
  readonly tools: readonly NormalTool[]
  /** The id of the answer that this request goes on from instead of resending the history (responses only). */
  readonly continues?: string
}

/** A request as a script sees it. */
export interface NormalRequest extends NormalConversation {
  readonly dialect: Dialect
  /** 1 for the first request that the provider received, over all conversations. */
  readonly ordinal: number
  /** How many turns of this conversation were answered before: 0 for its first request. */
  readonly turn: number
  /** Which retry of one SDK call this is (`x-stainless-retry-count`), 0 for the first try. */
  readonly retry: number
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body as it was sent. */
  readonly json: JsonObject
}
