import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

const CODE = 'GOLDENRUN_TRACE_NOT_FOUND'

/** Thrown if there is no trace with a name, id or path. */
export class TraceNotFoundError extends GoldenrunError {
  /** The requested name, id or path. */
  readonly wanted: string
  /** The nearest existing names, the nearest first, at most three. */
  readonly nearest: readonly string[]

  /** `problem` says where it was searched, `advice` what to do, each as a full sentence. */
  constructor({ wanted, nearest, problem, advice }: { wanted: string; nearest: readonly string[]; problem: string; advice: string }) {
    const near = nearest.length === 0 ? '' : ` The nearest: ${nearest.join(', ')}.`
    super(CODE, `${problem}${near} ${advice}`)
    this.name = 'TraceNotFoundError'
    this.wanted = wanted
    this.nearest = nearest
  }

  static override isInstance(error: unknown): error is TraceNotFoundError {
    return GoldenrunError.isInstance(error) && error.code === CODE
  }
}
