/** A call that an agent made, as the agent itself tells of it. */
export interface LoggedCall {
  /** The statement that made it. */
  readonly id: string
  /** What is called, and with what: equal for equal calls. */
  readonly label: string
  /** How often the SDK tried; 1 for a tool. */
  attempts: number
  /** The calls (indices into the log) whose answers the agent had waited for when it made this one. */
  readonly after: ReadonlySet<number>
  /** The sleeps that it had slept by then: their names and lengths. */
  readonly slept: ReadonlySet<string>
  readonly effect?: 'write'
  /** It came after a sleep that is longer than all that is under way beside it. */
  readonly isLate?: true
}

/** What an agent did, told by itself: goldenrun has no part in it. */
export class RunLog {
  readonly calls: LoggedCall[] = []
  /** Indices of calls, in the order in which they were answered. */
  readonly settled: number[] = []
  /** `calls`: how many had been made when it was reached. */
  readonly checkpoints: { readonly id: string; readonly state: string; readonly calls: number }[] = []
  /** What `race` came to: the statement at the end of its winning branch. */
  winner = ''

  /** @returns Its index. */
  call(call: Omit<LoggedCall, 'attempts'>): number {
    return this.calls.push({ ...call, attempts: 1 }) - 1
  }
}
