import { GoldenrunError } from './goldenrun-error.ts'

const CODE = 'GOLDENRUN_VALUE_NOT_KEPT'

/** Thrown where a replay needs a value that could not be written down when the run was recorded. */
export class ValueNotKeptError extends GoldenrunError {
  /** Where the value stood: `$` is the whole value, `$.order.save` a field of it. */
  readonly path: string
  /** Why it was not kept: `a function`, `a stream`, … */
  readonly reason: string

  /** `where` says whose value it was: `the output of step 4 (get_order)`. */
  constructor({ path, reason, where = 'the recorded value' }: { path: string; reason: string; where?: string }) {
    super(
      CODE,
      `The trace does not hold ${path} of ${where}: ${reason} cannot be written down. ` +
        "Return plain data at this boundary and record the run again, or let its function run in the replay (tools: { <name>: 'run' }).",
    )
    this.name = 'ValueNotKeptError'
    this.path = path
    this.reason = reason
  }

  static override isInstance(error: unknown): error is ValueNotKeptError {
    return GoldenrunError.isInstance(error) && error.code === CODE
  }
}
