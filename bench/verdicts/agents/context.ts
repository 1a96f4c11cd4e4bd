/** An agent's context. None of it goes into a trace. */
export interface Context {
  /** The address of its models, and of services that a tool of another maker may answer. */
  readonly url: string
  /** The address of the service that keeps its account. */
  readonly services: string
  /** Calls one of its tools: the world answers, by value. */
  // oxlint-disable-next-line typescript/no-explicit-any
  call(name: string, ...args: readonly unknown[]): Promise<any>
  /** Called at every checkpoint, so that the world knows it without goldenrun. */
  reached(name: string, state: unknown): void
}
