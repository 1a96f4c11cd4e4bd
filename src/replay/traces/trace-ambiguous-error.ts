import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

const CODE = 'GOLDENRUN_TRACE_AMBIGUOUS'

/** Thrown when a name or the beginning of an id is that of several traces. */
export class TraceAmbiguousError extends GoldenrunError {
  /** The name or id that was asked for. */
  readonly wanted: string
  /** The names or ids that it may mean. */
  readonly candidates: readonly string[]

  /** `what` says what the candidates are: `golden traces`. */
  constructor({ wanted, candidates, what }: { wanted: string; candidates: readonly string[]; what: string }) {
    const shown = candidates.length > 5 ? [...candidates.slice(0, 5), `and ${candidates.length - 5} more`] : candidates
    super(CODE, `"${wanted}" may mean ${candidates.length} ${what}: ${shown.join(', ')}. Write out the one you mean.`)
    this.name = 'TraceAmbiguousError'
    this.wanted = wanted
    this.candidates = candidates
  }

  static override isInstance(error: unknown): error is TraceAmbiguousError {
    return GoldenrunError.isInstance(error) && error.code === CODE
  }
}
