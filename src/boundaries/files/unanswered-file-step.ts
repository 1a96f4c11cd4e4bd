/** Thrown if the trace has no answer to what the agent does. */
export class UnansweredFileStep {
  /** Rejects with the refusal in a later turn of the event loop. */
  readonly refused: Promise<unknown>
  readonly path: string

  constructor(refused: Promise<unknown>, path: string) {
    this.refused = refused
    this.path = path
  }
}
