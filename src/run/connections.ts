import type { HeaderPairs } from '../trace/http-facts.ts'

/** A connection with messages in both directions, as an agent opens it. */
export interface ConnectionStart {
  /** The step in whose body it was opened; 0 for the run itself. */
  readonly owner: number
  /** The connection's host and path: `websocket api.example/v1/realtime`. */
  readonly name: string
  /** The query and the offered protocols. */
  readonly input: unknown
  /** The headers of its handshake. */
  readonly headers?: HeaderPairs
}

/** The answer to a connection's handshake. */
export interface ConnectionAnswer {
  readonly status: number
  /** The reason phrase, unless it is the standard one of the status. */
  readonly statusText?: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** How a connection ended. */
export interface EndedConnection {
  /** The status of the handshake, if it was refused. */
  readonly status?: number
  /** The code with which the server closed it. */
  readonly code?: number
  /** Set if the client abandoned it before it was open. */
  readonly aborted?: true
}

/** Receives what arrives over a connection: for the trace in a recording, for the agent in a replay. */
export interface ConnectionSink {
  /** @param stream As in a `chunk` row: `answer` for the answer to the handshake, as JSON; `body` for the body of a refusal. */
  output(stream: string, bytes: Uint8Array): void
  /** The connection has ended, and everything that arrived is known. */
  close(ended: EndedConnection): void
  /** The connection could not be opened, or was cut. */
  fail(error: unknown): void
}
