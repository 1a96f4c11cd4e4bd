import type { JsonObject } from './json.ts'
import type { Dialect, NormalConversation } from './normal-request.ts'
import type { Reply } from './reply.ts'
import type { TurnError } from './turn.ts'

/** A provider's wire format: how it is read, and how its answers are printed. */
export interface Wire {
  readonly dialect: Dialect
  /** What a request's path ends with. */
  readonly path: string
  /** What ids of tool calls start with. */
  readonly toolCallPrefix: string
  /** The header under which an answer carries its request id. */
  readonly requestIdHeader: string
  /** What a request's JSON body says. */
  read(json: JsonObject): NormalConversation
  /** The id of an answer, for requests that go on from it. */
  answerId(reply: Reply): string
  /** The JSON body of an answer that is not streamed. */
  answer(reply: Reply, json: JsonObject): unknown
  /** The server-sent events of a streamed answer, each framed and complete. */
  events(reply: Reply, json: JsonObject): string[]
  /** The JSON body of an error. */
  error(status: number, error: TurnError, requestId: string): unknown
}
