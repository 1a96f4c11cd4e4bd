import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

const CODE = 'GOLDENRUN_TRACE_NOT_FOUND'

/** Thrown when there is no trace of a name, id or path. */
export class TraceNotFoundError extends GoldenrunError {
  /** The name, id or path that was asked for. */
  readonly wanted: string
  /** What comes nearest to it among what there is, the nearest first, three at the most. */
  readonly nearest: readonly string[]

  /** `problem` says where it was looked for, `advice` what to do, each as a whole sentence. */
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
