/** A connection over which messages go both ways, as an agent opens it. */
export interface ConnectionStart {
  /** The step in whose body it was opened, 0 for the run itself. */
  readonly owner: number
  /** Its host and path: `websocket api.example/v1/realtime`. */
  readonly name: string
  /** The query, the protocols that are offered, and the headers that carry meaning. */
  readonly input: unknown
}

/** The answer to a connection's handshake. */
export interface ConnectionAnswer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** How a connection ended. */
export interface EndedConnection {
  /** Of the handshake, if it was refused. */
  readonly status?: number
  /** What the server closed it with. */
  readonly code?: number
  /** The client gave it up before it was open. */
  readonly aborted?: true
}

/** Where what arrives over a connection goes: to the trace when recording, to the agent when replaying. */
export interface ConnectionSink {
  /** @param stream As in a `chunk` row: `answer` for the answer to the handshake, as JSON; `body` for the body of one that refuses. */
  output(stream: string, bytes: Uint8Array): void
  /** It has ended, and all of it is known. */
  close(ended: EndedConnection): void
  /** It could not be opened, or was cut. */
  fail(error: unknown): void
}
