import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** Thrown if there is no trace with a name, id or path. */
export class TraceNotFoundError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_TRACE_NOT_FOUND'

  /** The requested name, id or path. */
  readonly wanted: string
  /** The nearest existing names, the nearest first, at most three. */
  readonly nearest: readonly string[]

  /** `problem` says where it was searched, `advice` what to do, each as a full sentence. */
  constructor({ wanted, nearest, problem, advice }: { wanted: string; nearest: readonly string[]; problem: string; advice: string }) {
    const near = nearest.length === 0 ? '' : ` The nearest: ${nearest.join(', ')}.`
    super(TraceNotFoundError.code, `${problem}${near} ${advice}`)
    this.name = 'TraceNotFoundError'
    this.wanted = wanted
    this.nearest = nearest
  }
}
