/** The names of the `signal` rows that tell what whoever reads what an agent handed out did. */
export const handedOutSignals = {
  /** The next piece was asked for, when something else had happened since the last one. */
  read: 'handed-out.read',
  /** Whoever was handed it went away. */
  leave: 'handed-out.leave',
} as const

/** The value of such a row. */
export interface HandedOutSignal {
  /** The part that is read; empty for the value itself. */
  readonly part: string
  /** How many of its pieces had been asked for, this one included. */
  readonly count: number
  /** Of one who went away: whether the last piece that was asked for had not been given. */
  readonly isWaiting?: boolean
}
