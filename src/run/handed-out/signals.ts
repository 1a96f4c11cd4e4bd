/** The names of the `signal` rows for the reader of what an agent handed out. */
export const handedOutSignals = {
  /** The next piece was asked for after something else had happened since the last one. */
  read: 'handed-out.read',
  /** The reader stopped. */
  leave: 'handed-out.leave',
} as const

/** The value of such a row. */
export interface HandedOutSignal {
  /** The part that is read; empty for the value itself. */
  readonly part: string
  /** How many of its pieces had been asked for, including this one. */
  readonly count: number
  /** For a reader that stopped: whether the last requested piece had not been given. */
  readonly isWaiting?: boolean
}
