import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

interface AmbiguousTrace {
  readonly wanted: string
  readonly candidates: readonly string[]
  readonly what: string
  readonly hasMore?: boolean
}

/** Thrown if a name or the beginning of an id matches several traces. */
export class TraceAmbiguousError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_TRACE_AMBIGUOUS'

  /** The requested name or id. */
  readonly wanted: string
  /** The matching names or ids. */
  readonly candidates: readonly string[]

  /** `what` names the kind of candidates: `golden traces`. `hasMore` if there are more than these. */
  constructor({ wanted, candidates, what, hasMore = false }: AmbiguousTrace) {
    const shown =
      candidates.length > 5 ? [...candidates.slice(0, 5), hasMore ? 'and more' : `and ${candidates.length - 5} more`] : candidates
    const count = hasMore ? `more than ${candidates.length}` : candidates.length
    super(TraceAmbiguousError.code, `"${wanted}" may mean ${count} ${what}: ${shown.join(', ')}. Write out the one you mean.`)
    this.name = 'TraceAmbiguousError'
    this.wanted = wanted
    this.candidates = candidates
  }
}
