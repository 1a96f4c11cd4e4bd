/** What the conductor asks of the run that it conducts. */
export interface Conducted {
  /** The calls made since the last turn: find out what they are. Tells whether there were any. */
  settleCalls(): boolean
  /** The run waits for nothing else: decide on the calls that came too early. Tells whether there were any. */
  settleEarlyCalls(): boolean
  /** The same: take what was sent of request bodies whose rest is not needed. Tells whether there were any. */
  cutBodies(): boolean
  /** Whether nothing more is to be released: the replay was stopped. */
  readonly stopped: boolean
  /** Whether the replay is to end though the agent goes on. */
  readonly exhausted: boolean
  /** Whether the agent has returned or thrown. */
  readonly finished: boolean
  /** What the run does by itself. */
  activity(): Activity
  /** Whether a recorded step is being called: its request body is still on its way. */
  isArriving(step: number): boolean
  /** Completions of the recording are released now. */
  releases(): void
  signal(name: string, value: unknown): void
  /** All that reached the recorded run before it settled has been released. May be told more than once. */
  passEnd(): void
  /** Nothing can happen any more. */
  over(): void
}

/**
 * What a run does by itself: it works (a file, an answer of its own), it sends a request body or has a contact that is live, it waits for the next turn of the event loop,
 * or nothing.
 */
export type Activity = 'working' | 'sending' | 'turning' | 'none'
