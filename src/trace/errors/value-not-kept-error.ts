import { GoldenrunError } from './goldenrun-error.ts'

/** Thrown when a replay needs a value that could not be recorded. */
export class ValueNotKeptError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_VALUE_NOT_KEPT'

  /** The path of the value: `$` is the whole value, `$.order.save` a field of it. */
  readonly path: string
  /** Why it was not kept: `a function`, `a stream`, … */
  readonly reason: string

  /** `where` names the value: `the output of step 4 (get_order)`. */
  constructor({ path, reason, where = 'the recorded value' }: { path: string; reason: string; where?: string }) {
    super(
      ValueNotKeptError.code,
      `The trace does not hold ${path} of ${where}: ${reason} cannot be recorded. ` +
        "Return plain data at this boundary and record the run again, or let its function run in the replay (tools: { <name>: 'run' }).",
    )
    this.name = 'ValueNotKeptError'
    this.path = path
    this.reason = reason
  }
}
