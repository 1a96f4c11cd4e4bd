/** What an agent is given to work with; none of it goes into a trace. */
export interface Context {
  /** Where its models and services are. */
  readonly url: string
  /** What one of its tools does: the world answers, by value. */
  // oxlint-disable-next-line typescript/no-explicit-any
  call(name: string, ...args: readonly unknown[]): Promise<any>
  /** Told of every checkpoint, so that the world knows of it without goldenrun. */
  reached(name: string, state: unknown): void
}
