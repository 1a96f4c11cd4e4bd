/**
 * How a session that the run uses was opened, such as a client of an MCP server: by this run, or before it. The session's own calls are not compared,
 * and a replay answers them at any time.
 */
export interface PreambleRow {
  readonly kind: 'preamble'
  /** The process that was started, the server's name, and its answers. */
  readonly value: unknown
  readonly at: number
}
