/** The error that Node's own promised timers reject with, whose class is not exported. */
export class AbortError extends Error {
  readonly code = 'ABORT_ERR'
  override readonly name = 'AbortError'

  /** @param signal The signal that was aborted. */
  constructor(signal: AbortSignal) {
    super('The operation was aborted', { cause: signal.reason })
  }
}
