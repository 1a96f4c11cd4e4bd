/** What the desk is given to work with; none of it goes into a trace. */
export interface DeskContext {
  /** Where the model is. */
  readonly baseUrl: string
  /** What the customer says next, given what the desk said; null for the opening. */
  nextUserTurn(reply: string | null): Promise<string>
  /** The result of a tool that the model asked for. */
  callTool(name: string, args: unknown): Promise<string>
  /** The result of one of the desk's own lookups. */
  lookUp(name: string, args: Readonly<Record<string, unknown>>): Promise<string>
  /** Told of every checkpoint, so that the world knows of it without goldenrun. */
  reached(name: string, state: unknown): void
}
